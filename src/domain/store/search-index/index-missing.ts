import { sql } from 'kysely';
import type { Database } from '../../../platform/database/tables.ts';
import { INDEX_VERSION } from './entry-hash.ts';
import { indexPages } from './index-pages.ts';

/** Number of pages that one statement looks at. */
const PAGES_PER_SCAN = 5_000;

/** Number of pages that are indexed in one transaction. Edits of their space wait for it. */
const PAGES_PER_BATCH = 50;

/** Position of a walk over all pages. */
export interface PagePlace {
  spaceId: string;
  pageId: string;
}

/** Start of a walk. */
export const FIRST_PLACE: PagePlace = { spaceId: '', pageId: '' };

/** Pages of a space that are indexed together. */
export interface PageBatch {
  spaceId: string;
  pageIds: readonly string[];
}

/**
 * Finds pages with no index entry or an outdated one, among the next few thousand pages after a position. Returns the
 * new position; undefined at the end.
 */
export async function findMissing(
  db: Database,
  after: PagePlace,
): Promise<{ last: PagePlace | undefined; batches: PageBatch[] }> {
  // `offset 0` forces an index lookup per page. Otherwise all entries might be read for these pages.
  const { rows } = await sql<PagePlace & { isMissing: boolean }>`
    with looked as materialized (
      select h.space_id, h.page_id, h.kind from head_page h
      where (h.space_id, h.page_id) > (${after.spaceId}, ${after.pageId})
      order by h.space_id, h.page_id limit ${sql.lit(PAGES_PER_SCAN)}
    ), checked as materialized (
      select l.space_id, l.page_id, row_number() over (order by l.space_id desc, l.page_id desc) = 1 as is_last,
        l.kind in ('document', 'computed') and not exists (
          select from search_page p
          where p.space_id = l.space_id and p.page_id = l.page_id and p.version = ${sql.lit(INDEX_VERSION)}
          offset 0) as is_missing
      from looked l
    )
    select c.space_id as "spaceId", c.page_id as "pageId", c.is_missing as "isMissing" from checked c
    where c.is_missing or c.is_last order by c.space_id, c.page_id`.execute(db);
  return { last: rows.at(-1), batches: batchesOf(rows.filter(({ isMissing }) => isMissing)) };
}

function batchesOf(pages: readonly PagePlace[]): PageBatch[] {
  const batches: PageBatch[] = [];
  for (const [spaceId, ofSpace] of Map.groupBy(pages, (page) => page.spaceId)) {
    const pageIds = ofSpace.map(({ pageId }) => pageId);
    for (let at = 0; at < pageIds.length; at += PAGES_PER_BATCH)
      batches.push({ spaceId, pageIds: pageIds.slice(at, at + PAGES_PER_BATCH) });
  }
  return batches;
}

/**
 * Indexes those of the pages that still have to be. Runs in a transaction, in which it locks their space against
 * concurrent edits.
 */
export async function indexBatch(db: Database, { spaceId, pageIds }: PageBatch): Promise<void> {
  // The organization is read under the lock, because spaces can be transferred.
  const space = await db
    .selectFrom('space')
    .where('id', '=', spaceId)
    .select('organizationId')
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (space) await indexPages(db, { ...space, spaceId }, { changed: pageIds });
}

/**
 * For the migration: indexes what `findMissing` finds in the transaction of the caller, and returns the new position.
 */
export async function indexMissing(db: Database, after: PagePlace): Promise<PagePlace | undefined> {
  const { last, batches } = await findMissing(db, after);
  for (const batch of batches) await indexBatch(db, batch);
  return last;
}
