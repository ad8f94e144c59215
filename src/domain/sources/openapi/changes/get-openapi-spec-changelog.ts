import { z } from 'zod';
import { query } from '../../../../platform/operation/operation.ts';
import { permissions } from '../../../people/access/index.ts';
import { specFor } from '../access.ts';
import { getOpenApiSpecVersion } from '../get-openapi-spec-version.ts';
import { versionOfSpec } from '../versions.ts';
import { baseVersion, changelogOf } from './list-openapi-spec-changes.ts';

const needed = permissions.getOpenApiSpecChangelog.organization;

export const getOpenApiSpecChangelog = query({
  name: 'getOpenApiSpecChangelog',
  description:
    'Gets the changes in a version of an OpenAPI specification since the previous version, or since `baseVersionId`, as lists of breaking and other changes in Markdown.',
  input: z.object({ ...getOpenApiSpecVersion.input.shape, baseVersionId: baseVersion }),
  authorize: (ctx, { organizationId = '', slug = '' }) => specFor(ctx, { organizationId, slug }, needed),
  async run(ctx, { openApiSpecVersionId, baseVersionId, ...name }) {
    const spec = await specFor(ctx, name, needed);
    const version = await versionOfSpec(ctx, spec, openApiSpecVersionId);
    return { markdown: await changelogOf(ctx, version, baseVersionId) };
  },
});
