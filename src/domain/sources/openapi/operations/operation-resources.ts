import { z } from 'zod';
import { recordOf } from '../../../../lib/is-record.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { types } from '../../../../platform/resource/field-types.ts';
import { resource } from '../../../../platform/resource/resource.ts';
import { present, shapeOf } from '../../../../platform/resource/rest.ts';
import { operationKind } from '../enums.ts';
import type { OperationRow, SchemaRow } from './operations.ts';
import { resolvedOperation, resolvedSchema } from './resolved.ts';

const RESOLVED =
  'References are replaced by their targets. Circular references, and those beyond 20,000 values, are not replaced.';

const OPERATION = `The Operation Object of OpenAPI 3.1, with the parameters, servers and security that it inherits. ${RESOLVED}`;

export const openApiOperation = resource<OperationRow>(
  {
    name: 'OpenApiOperation',
    schemaName: 'OpenAPIOperation',
    object: 'openapi-operation',
    node: 'openapioperation',
    description: 'An operation or webhook of a version of an OpenAPI specification.',
  },
  (f) => ({
    kind: f.enum(operationKind)('Kind of the operation.', ({ kind }) => kind),
    method: f.string('HTTP method in lower case.', ({ method }) => method),
    path: f.string('Path of the operation, or name of the webhook.', ({ path }) => path),
    operationId: f.string.optional('Its `operationId`. Null if it has none.', ({ operationId }) => operationId),
    summary: f.string.optional('Summary. Null if it has none.', ({ summary }) => summary),
    tags: f.list(types.string)('Tags of the operation, in order.', ({ tags }) => tags),
    isDeprecated: f.boolean('Whether the operation is deprecated.', (row) => row.isDeprecated, { rest: 'deprecated' }),
    // Too large for lists in REST; `OpenAPIOperationWithObject` has it.
    object: f.jsonObject()(OPERATION, objectOf, { rest: false }),
  }),
);

async function objectOf({ id }: OperationRow, ctx: Context): Promise<Record<string, unknown>> {
  return recordOf(await resolvedOperation(ctx, id));
}

/** A single operation in REST. */
export const operationWithObject = {
  shape: () =>
    shapeOf(openApiOperation)
      .extend({ operation: z.record(z.string(), z.unknown()).describe(OPERATION) })
      .meta({ id: 'OpenAPIOperationWithObject', description: 'An operation with its Operation Object.' }),
  async present(row: OperationRow, ctx: Context) {
    const [fields, operation] = await Promise.all([present(openApiOperation, row, ctx), objectOf(row, ctx)]);
    return { ...fields, operation };
  },
};

export const openApiSchema = resource<SchemaRow>(
  {
    name: 'OpenApiSchema',
    schemaName: 'OpenAPISchema',
    object: 'openapi-schema',
    node: 'openapischema',
    description: 'A schema of a version of an OpenAPI specification.',
  },
  (f) => ({
    name: f.string('Name of the schema.', ({ name }) => name),
    title: f.string.optional('Title of the schema. Null if it has none.', ({ title }) => title),
    schema: f.json()(
      `The Schema Object of OpenAPI 3.1. ${RESOLVED}`,
      async ({ id }, ctx) => (await resolvedSchema(ctx, id)) ?? {},
      { rest: false },
    ),
  }),
);
