import { sql } from 'kysely';
import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { newestFirst } from '../../../platform/paging/order.ts';
import { permissions } from '../../people/access/index.ts';
import { specFor } from './access.ts';
import { specName } from './settings.ts';
import { VERSION_COLUMNS, type VersionRow } from './versions.ts';

export const versionsOfSpec = listing<object, VersionRow>({
  name: 'openApiSpec.versions',
  from: 'openapi_spec_version as v',
  select: sql.join(VERSION_COLUMNS.map((column) => sql.ref(`v.${column}`))),
  parent: 'specId',
  order: newestFirst,
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
