import { sql } from 'kysely';
import type { Database } from '../../../platform/database/tables.ts';
import { indexPages } from './index-pages.ts';
import { INDEX_VERSION } from './index-version.ts';

/** Pages that are indexed in one go. */
const BATCH = 500;

/** A page of a space: how far a walk over all of them has come. */
export interface PagePlace {
  spaceId: string;
  pageId: string;
}

/**
 * Indexes pages of one space that are not indexed, or by other rules than today's, the first of those behind a place;
 * answers how far it came, undefined at the end. The space is held, so that no edit of it comes in between.
 */
export async function indexMissing(db: Database, after: PagePlace): Promise<PagePlace | undefined> {
  const isMissing = sql`
    left join search_page p on p.space_id = h.space_id and p.page_id = h.page_id
    where h.kind in ('document', 'computed') and (p.page_id is null or p.version <> ${sql.lit(INDEX_VERSION)})
      and (h.space_id, h.page_id) > (${after.spaceId}, ${after.pageId})`;
  const { rows } = await sql<{ spaceId: string; organizationId: string }>`
    select h.space_id as "spaceId", h.organization_id as "organizationId"
    from head_page h ${isMissing} order by h.space_id, h.page_id limit 1`.execute(db);
  const [space] = rows;
  if (!space) return undefined;
  await sql`select from space where id = ${space.spaceId} for no key update`.execute(db);
  const pages = await sql<{ pageId: string }>`
    select h.page_id as "pageId" from head_page h ${isMissing} and h.space_id = ${space.spaceId}
    order by h.page_id limit ${sql.lit(BATCH)}`.execute(db);
  const pageIds = pages.rows.map(({ pageId }) => pageId);
  await indexPages(db, space, { changed: pageIds });
  return { spaceId: space.spaceId, pageId: pageIds.at(-1) ?? after.pageId };
}

/** Where such a walk begins. */
export const FIRST_PLACE: PagePlace = { spaceId: '', pageId: '' };
