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
  const missing = db
    .selectFrom('head_page as h')
    .leftJoin('search_page as p', (on) => on.onRef('p.spaceId', '=', 'h.spaceId').onRef('p.pageId', '=', 'h.pageId'))
    .where('h.kind', 'in', ['document', 'computed'])
    .where((its) => its.or([its('p.pageId', 'is', null), its('p.version', '<>', sql.lit(INDEX_VERSION))]))
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

/** Where such a walk begins. */
export const FIRST_PLACE: PagePlace = { spaceId: '', pageId: '' };
