import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { specFor } from './access.ts';
import { specName } from './settings.ts';
import { versionOfSpec } from './versions.ts';

export const getOpenApiSpecVersion = query({
  name: 'getOpenApiSpecVersion',
  description: 'Gets a version of an OpenAPI specification. NOT_FOUND if no version was processed yet.',
  input: z.object({
    ...specName,
    openApiSpecVersionId: idOf('openapiversion')
      .nullish()
      .describe('ID of the version, or `latest`. Default: the latest version.'),
  }),
  authorize: (ctx, { organizationId = '', slug = '' }) =>
    specFor(ctx, { organizationId, slug }, permissions.getOpenApiSpecVersion.organization),
  async run(ctx, { openApiSpecVersionId, ...name }) {
    const spec = await specFor(ctx, name, permissions.getOpenApiSpecVersion.organization);
    return versionOfSpec(ctx, spec, openApiSpecVersionId);
  },
});
