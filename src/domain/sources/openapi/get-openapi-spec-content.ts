import { z } from 'zod';
import { query } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { specFor } from './access.ts';
import { getOpenApiSpecVersion } from './get-openapi-spec-version.ts';
import { specOnVisits } from './spec-on-visits.ts';
import { versionOfSpec } from './versions.ts';

const needed = permissions.getOpenApiSpecContent.organization;

export const getOpenApiSpecContent = query({
  name: 'getOpenApiSpecContent',
  description:
    'Gets the content of a version of an OpenAPI specification. The entry point is upgraded to OpenAPI 3.1; references ' +
    'are not resolved. Visitors of a published site can read the specifications that its pages use. NOT_FOUND if no version ' +
    'was processed yet.',
  openToAnonymous: true,
  input: z.object(getOpenApiSpecVersion.input.shape),
  authorize: async (ctx, { organizationId = '', slug = '' }) =>
    (await specOnVisits(ctx, { organizationId, slug })) ?? specFor(ctx, { organizationId, slug }, needed),
  async run(ctx, { openApiSpecVersionId, ...name }) {
    const spec = (await specOnVisits(ctx, name)) ?? (await specFor(ctx, name, needed));
    return { spec, version: await versionOfSpec(ctx, spec, openApiSpecVersionId) };
  },
});
