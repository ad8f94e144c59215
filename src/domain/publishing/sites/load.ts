import { sql } from 'kysely';
import type { Row } from '../../../platform/database/tables.ts';
import { rowLoader } from '../../../platform/loader.ts';
import { levelOn, reaches } from '../../people/access/index.ts';

export type SiteRow = Row<'site'>;

/** Sites by id, batched; those that the caller has no level on are left out. */
export const loadSite = rowLoader<SiteRow>('site', async (ctx, ids) => {
  const { rows } = await sql<SiteRow>`
    select r.* from site r where r.id = any(${ids}::text[]) and ${reaches(levelOn.site(ctx.actor, 'r'), 'read')}`.execute(
    ctx.db,
  );
  return rows;
});

export type SiteSpaceRow = Row<'site_space'>;

/** Site spaces by id, batched; those of sites that the caller has no level on are left out. */
export const loadSiteSpace = rowLoader<SiteSpaceRow>('site space', async (ctx, ids) => {
  const { rows } = await sql<SiteSpaceRow>`
    select l.* from site_space l join site r on r.id = l.site_id
    where l.id = any(${ids}::text[]) and ${reaches(levelOn.site(ctx.actor, 'r'), 'read')}`.execute(ctx.db);
  return rows;
});
