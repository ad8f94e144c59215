import { sql } from 'kysely';
import type { Database } from '../../../platform/database/tables.ts';
import { INDEX_VERSION } from './entry-hash.ts';
import { indexPages } from './index-pages.ts';

/** Number of pages per batch. */
const BATCH = 500;

/** Position of a walk over all pages. */
export interface PagePlace {
  spaceId: string;
  pageId: string;
}

/**
 * Indexes the next batch of pages after a position that have no index entry or an outdated one. A batch belongs to one
 * space, whose row is locked against concurrent edits. Returns the new position; undefined at the end.
 */
export async function indexMissing(db: Database, after: PagePlace): Promise<PagePlace | undefined> {
  const missing = db
    .selectFrom('head_page as h')
    .leftJoin('search_page as p', (on) => on.onRef('p.spaceId', '=', 'h.spaceId').onRef('p.pageId', '=', 'h.pageId'))
    .where('h.kind', 'in', ['document', 'computed'])
    .where((row) => row.or([row('p.pageId', 'is', null), row('p.version', '<>', sql.lit(INDEX_VERSION))]))
    .where(sql<boolean>`(h.space_id, h.page_id) > (${after.spaceId}, ${after.pageId})`)
    .orderBy('h.spaceId')
    .orderBy('h.pageId');
  const space = await missing.select(['h.spaceId', 'h.organizationId']).limit(1).executeTakeFirst();
  if (!space) return undefined;
  await db.selectFrom('space').where('id', '=', space.spaceId).select('id').forNoKeyUpdate().execute();
  const pages = await missing.where('h.spaceId', '=', space.spaceId).select('h.pageId').limit(BATCH).execute();
  const pageIds = pages.map(({ pageId }) => pageId);
  await indexPages(db, space, { changed: pageIds });
  return { spaceId: space.spaceId, pageId: pageIds.at(-1) ?? after.pageId };
}

/** Start of a walk. */
export const FIRST_PLACE: PagePlace = { spaceId: '', pageId: '' };
