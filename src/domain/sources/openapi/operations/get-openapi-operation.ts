import { z } from 'zod';
import { query } from '../../../../platform/operation/operation.ts';
import { multilineText } from '../../../../platform/shapes/text.ts';
import { notVisibleError, permissions } from '../../../people/access/index.ts';
import { specFor } from '../access.ts';
import { getOpenApiSpecVersion } from '../get-openapi-spec-version.ts';
import { versionOfSpec } from '../versions.ts';
import { findOperation } from './operations.ts';

const needed = permissions.getOpenApiOperation.organization;

export const getOpenApiOperation = query({
  name: 'getOpenApiOperation',
  description: 'Gets an operation of a version of an OpenAPI specification by its path and method.',
  input: z.object({
    ...getOpenApiSpecVersion.input.shape,
    path: multilineText(1, 2048).describe('Path of the operation, as in the specification, or name of the webhook.'),
    method: multilineText(1, 50).describe('HTTP method, in upper or lower case.'),
  }),
  authorize: (ctx, { organizationId = '', slug = '' }) => specFor(ctx, { organizationId, slug }, needed),
  async run(ctx, { openApiSpecVersionId, path, method, ...name }) {
    const spec = await specFor(ctx, name, needed);
    const { id: versionId } = await versionOfSpec(ctx, spec, openApiSpecVersionId);
    const operation = await findOperation(ctx, { versionId, path, method });
    if (!operation) throw notVisibleError(ctx, 'operation', `${method} ${path}`);
    return operation;
  },
});
