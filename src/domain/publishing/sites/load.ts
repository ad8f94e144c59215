import { sql } from 'kysely';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { rowLoader } from '../../../platform/loader.ts';
import { resourceRows, rowsOf, withAccess } from '../../people/access/index.ts';

export type SiteRow = Row<'site'>;

/** Sites by id, batched. Leaves out those that the caller has no role on. */
export const loadSite = rowLoader<SiteRow>('site', async (ctx, ids) => {
  const found = await resourceRows<SiteRow>(ctx, { kind: 'site', ids });
  return found.filter(({ role }) => atLeast(role, 'read'));
});

export type SiteSpaceRow = Row<'site_space'>;

/** Spaces of sites by id, batched. Leaves out those of sites that the caller has no role on. */
export const loadSiteSpace = rowLoader<SiteSpaceRow>('site space', async (ctx, ids) => {
  const found = await withAccess(ctx, { kind: 'site', row: 'r' }, ({ columns }) =>
    rowsOf<SiteSpaceRow>(
      ctx,
      sql`
        select l.*, ${columns}
        from site_space l
        join site r on r.id = l.site_id
        join access_version av on av.organization_id = r.organization_id
        where l.id = any(${ids}::text[])`,
    ),
  );
  return found.filter(({ role }) => atLeast(role, 'read'));
});
