import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { type PlacedRow, type ReadingOrder, readingOrderOf } from '../../../lib/tree/reading-order.ts';
import type { Context } from '../../../platform/context/context.ts';
import { readStored } from '../../../platform/database/replicas/read-stored.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import type { RevisionRow } from '../revisions/index.ts';
import { toHex } from '../revisions/index.ts';
import { loadTree } from './load-tree.ts';

/** Number of pages in all cached orders. A page takes about 100 bytes. */
const REMEMBERED_PAGES = 100_000;

/** Orders by organization and root hash. Both identify an immutable tree. */
const remembered = new LRUCache<string, ReadingOrder>({
  maxSize: REMEMBERED_PAGES,
  sizeCalculation: ({ pageIds }) => pageIds.length + 1,
});

/**
 * The pages of a revision in reading order. For heads that are requested at the same time, one statement reads only the
 * places of their pages. For other revisions, the tree is loaded.
 */
export async function readingOrder(ctx: Context, revision: RevisionRow): Promise<ReadingOrder> {
  const key = `${revision.organizationId}/${toHex(revision.rootHash)}`;
  const cached = remembered.get(key);
  if (cached) return cached;
  const placed = (await placedInHead(ctx, revision.id)) ?? (await loadTree(ctx, revision));
  const order = readingOrderOf(placed);
  remembered.set(key, order);
  return order;
}

/** Places of the pages of heads, by revision. Revisions that are not a head, or have no pages, are left out. */
const placedInHead = batchLoader<PlacedRow[]>('places in head', (ctx, ids) => readStored(ctx, ids, readPlaces));

async function readPlaces(db: Database, revisionIds: string[]): Promise<Map<string, PlacedRow[]>> {
  const { rows } = await sql<PlacedRow & { revisionId: string }>`
    select s.revision_id as "revisionId", h.page_id as "pageId", h.parent_id as "parentId", h.position, h.kind, h.is_hidden as hidden
    from revision r
    join space s on s.id = r.space_id and s.revision_id = r.id
    join head_page h on h.space_id = s.id
    where r.id = any(${revisionIds}::text[])`.execute(db);
  return Map.groupBy(rows, ({ revisionId }) => revisionId);
}
