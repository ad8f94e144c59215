import { sql } from 'kysely';
import { z } from 'zod';
import { query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { permissions } from '../../people/access/index.ts';
import { specFor } from './access.ts';
import { specName } from './settings.ts';
import { VERSION_COLUMNS, type VersionRow } from './versions.ts';

export const versionsOfSpec = listing<object, VersionRow>({
  name: 'openApiSpec.versions',
  select: sql.join(VERSION_COLUMNS.map((column) => sql.ref(`v.${column}`))),
  from: (specId) => sql`from openapi_spec_version v where v.spec_id = ${specId}`,
  order: () => [
    { by: sql`v.created_at`, key: 'createdAt', direction: 'desc', type: 'timestamptz' },
    { by: sql`v.id`, key: 'id', direction: 'desc', type: 'text' },
  ],
});

export const listOpenApiSpecVersions = query({
  name: 'listOpenApiSpecVersions',
  description:
    'Lists the versions of an OpenAPI specification, newest first. Processing adds a version only if the content changed.',
  input: z.object(specName),
  authorize: (ctx, { organizationId = '', slug = '' }) =>
    specFor(ctx, { organizationId, slug }, permissions.listOpenApiSpecVersions.organization),
  async run(ctx, name) {
    const { id } = await specFor(ctx, name, permissions.listOpenApiSpecVersions.organization);
    return versionsOfSpec(ctx, id, {});
  },
});
