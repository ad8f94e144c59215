import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { newestFirst } from '../../../platform/paging/order.ts';
import { organizationFor, organizationLists, permissions } from '../../people/access/index.ts';
import { type ImportRunRow, RUN } from './access.ts';
import { type ImportRunFilter, importRunFilter } from './enums.ts';
import { seesSite } from './sees-site.ts';

const needed = permissions.listImportRuns.organization;

interface Filters {
  spaceId: string | null;
  changeRequestId: string | null;
  siteId: string | null;
  status: ImportRunFilter | null;
}

/**
 * The filters of an input, null where there is none. A site that the caller does not see has no import runs, like an
 * absent one.
 */
export async function toImportRunFilters(
  ctx: Context,
  {
    spaceId = null,
    changeRequestId = null,
    siteId = null,
    status = null,
  }: { [Name in keyof Filters]?: Filters[Name] | undefined },
): Promise<Filters> {
  const isUnseen = siteId !== null && !(await seesSite(ctx, siteId));
  return { spaceId, changeRequestId, siteId: isUnseen ? '' : siteId, status };
}

export const importRunsOfOrganization = listing<Filters, ImportRunRow>({
  name: 'organization.importRuns',
  from: 'import_run as ir',
  join: sql`join space s on s.id = ir.space_id`,
  select: sql.join(RUN.map((column) => sql.ref(column))),
  parent: 'organizationId',
  where: ({ spaceId, changeRequestId, siteId, status }) => [
    spaceId !== null && sql`ir.space_id = ${spaceId}`,
    changeRequestId !== null && sql`ir.change_request_id = ${changeRequestId}`,
    siteId !== null && sql`ir.site_id = ${siteId}`,
    status !== null && hasStatus(status),
  ],
  order: newestFirst,
  access: organizationLists({ space: 's', role: permissions.getImportRun.space }),
});

const hasStatus = (status: ImportRunFilter) =>
  status === 'active' ? sql`ir.status in ('pending', 'in-progress')` : sql`ir.status = ${status}`;

export const listImportRuns = query({
  name: 'listImportRuns',
  description: 'Lists the import runs of an organization in spaces that you can read, newest first.',
  input: z.object({
    organizationId: idOf('org'),
    spaceId: idOf('space').nullish().describe('Only import runs into this space.'),
    changeRequestId: idOf('cr').nullish().describe('Only import runs into this change request.'),
    siteId: idOf('site').nullish().describe('Only import runs for this site.'),
    status: importRunFilter.nullish().describe('Only import runs with this status.'),
  }),
  authorize: (ctx, { organizationId = '' }) => organizationFor(ctx, organizationId, needed),
  async run(ctx, { organizationId, ...filter }) {
    await organizationFor(ctx, organizationId, needed);
    return importRunsOfOrganization(ctx, organizationId, await toImportRunFilters(ctx, filter));
  },
});
