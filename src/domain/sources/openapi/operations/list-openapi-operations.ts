import { z } from 'zod';
import { query } from '../../../../platform/operation/operation.ts';
import { multilineText } from '../../../../platform/shapes/text.ts';
import { permissions } from '../../../people/access/index.ts';
import { specFor } from '../access.ts';
import { getOpenApiSpecVersion } from '../get-openapi-spec-version.ts';
import { versionOfSpec } from '../versions.ts';
import { type OperationFilter, operationsOfVersion } from './operations.ts';

const needed = permissions.listOpenApiOperations.organization;

export const listOpenApiOperations = query({
  name: 'listOpenApiOperations',
  description: 'Lists the operations and webhooks of a version of an OpenAPI specification, in its order.',
  input: z.object({
    ...getOpenApiSpecVersion.input.shape,
    tag: multilineText(1, 1000).nullish().describe('Only operations with this tag.'),
    method: multilineText(1, 50).nullish().describe('Only operations with this HTTP method, in upper or lower case.'),
    path: multilineText(1, 2048)
      .nullish()
      .describe('Only operations with exactly this path, or webhooks with this name.'),
    text: multilineText(1, 200)
      .nullish()
      .describe('Only operations whose path, `operationId` or summary contains this text, in upper or lower case.'),
  }),
  authorize: (ctx, { organizationId = '', slug = '' }) => specFor(ctx, { organizationId, slug }, needed),
  async run(ctx, { organizationId, slug, openApiSpecVersionId, ...filter }) {
    const spec = await specFor(ctx, { organizationId, slug }, needed);
    const { id } = await versionOfSpec(ctx, spec, openApiSpecVersionId);
    return operationsOfVersion(ctx, id, filterOf(filter));
  },
});

/** A filter from input, where absent members are undefined or null. */
export const filterOf = (filter: { [Name in keyof OperationFilter]?: string | null | undefined }): OperationFilter => ({
  tag: filter.tag ?? null,
  method: filter.method ?? null,
  path: filter.path ?? null,
  text: filter.text ?? null,
});
