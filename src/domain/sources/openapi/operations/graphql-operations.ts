import { builder } from '../../../../platform/graphql/builder.ts';
import { connection } from '../../../../platform/graphql/connection.ts';
import { registerNode } from '../../../../platform/graphql/node.ts';
import { readInGraph } from '../../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../../platform/graphql/resource-type.ts';
import { parse } from '../../../../platform/operation/operation.ts';
import { openApiChange } from '../changes/change-resources.ts';
import { getOpenApiSpecChangelog } from '../changes/get-openapi-spec-changelog.ts';
import { changelogOf, changesSince, listOpenApiSpecChanges } from '../changes/list-openapi-spec-changes.ts';
import { VersionType } from '../graphql.ts';
import { openApiLintProblem } from '../lint/lint-resources.ts';
import { lintProblemsOfVersion, listOpenApiLintProblems } from '../lint/list-openapi-lint-problems.ts';
import { getOpenApiOperation } from './get-openapi-operation.ts';
import { filterOf, listOpenApiOperations } from './list-openapi-operations.ts';
import { listOpenApiSchemas } from './list-openapi-schemas.ts';
import { openApiOperation, openApiSchema } from './operation-resources.ts';
import { findOperation, loadOperation, loadSchema, operationsOfVersion, schemasOfVersion } from './operations.ts';

const OperationType = typeOf(openApiOperation);
const SchemaType = typeOf(openApiSchema);

registerNode(OperationType, 'openapioperation', loadOperation);
registerNode(SchemaType, 'openapischema', loadSchema);
readInGraph(getOpenApiOperation);
readInGraph(getOpenApiSpecChangelog);

const PARENT = ['organizationId', 'slug', 'openApiSpecVersionId'] as const;
const named = getOpenApiOperation.input.pick({ path: true, method: true });

// The parent is a version that the caller can read, so only the filters are taken from the input.
const ofParent = () => ({ organizationId: '', slug: '' });

builder.objectFields(VersionType, (t) => ({
  operations: connection(t, {
    type: OperationType,
    operation: listOpenApiOperations,
    without: [...PARENT],
    from: ofParent,
    list: ({ id }, filter, ctx) => operationsOfVersion(ctx, id, filterOf(filter)),
  }),
  schemas: connection(t, {
    type: SchemaType,
    operation: listOpenApiSchemas,
    without: [...PARENT],
    from: ofParent,
    list: ({ id }, { text }, ctx) => schemasOfVersion(ctx, id, { text: text ?? null }),
  }),
  changes: connection(t, {
    type: typeOf(openApiChange),
    operation: listOpenApiSpecChanges,
    without: [...PARENT],
    from: ofParent,
    list: (version, filter, ctx) => changesSince(ctx, version, filter),
  }),
  lintProblems: connection(t, {
    type: typeOf(openApiLintProblem),
    operation: listOpenApiLintProblems,
    without: [...PARENT],
    from: ofParent,
    list: ({ id }, { severity, rule }, ctx) =>
      lintProblemsOfVersion(ctx, id, { severity: severity ?? null, rule: rule ?? null }),
  }),
  changelog: t.string({
    description: getOpenApiSpecChangelog.description,
    args: {
      baseVersionId: t.arg.id({ description: 'ID of the version to compare with. Default: the previous version.' }),
    },
    resolve: (version, { baseVersionId }, ctx) => changelogOf(ctx, version, baseVersionId),
  }),
  operation: t.field({
    type: OperationType,
    nullable: true,
    description: 'Gets an operation of the version by its path and method. Null if there is none.',
    args: {
      path: t.arg.string({
        required: true,
        description: 'Path of the operation, as in the specification, or name of the webhook.',
      }),
      method: t.arg.string({ required: true, description: 'HTTP method, in upper or lower case.' }),
    },
    resolve: async ({ id }, args, ctx) => (await findOperation(ctx, { versionId: id, ...parse(named, args) })) ?? null,
  }),
}));
