import { sql } from 'kysely';
import type { Row } from '../../platform/database/tables.ts';
import { rowLoader } from '../../platform/loader.ts';
import { levelOn, reaches } from '../access/index.ts';

export type SiteRow = Row<'site'>;

/** Sites by id, batched; those that the caller has no level on are left out. */
export const loadSite = rowLoader<SiteRow>('site', async (ctx, ids) => {
  const { rows } = await sql<SiteRow>`
    select r.* from site r where r.id = any(${ids}::text[]) and ${reaches(levelOn.site(ctx.actor, 'r'), 'read')}`.execute(
    ctx.db,
  );
  return rows;
});
