import { sql } from 'kysely';
import type { LoadedPage } from '../../../lib/tree/rows.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Database } from '../../../platform/database/tables.ts';
import { sharedLoader } from '../../../platform/reads/loader.ts';
import type { RevisionRow } from '../revisions/index.ts';
import { loadTree, type PlaceRow, pageOf } from './load-tree.ts';
import { nodeColumns } from './node-source.ts';
import { titlesAbove } from './titles-above.ts';

/** The computed pages of a revision. One batched statement for heads; the tree of other revisions is loaded. */
export async function computedPages(ctx: Context, revision: RevisionRow): Promise<LoadedPage[]> {
  return (await ofHead(ctx, revision.id)) ?? (await loadTree(ctx, revision)).filter(({ kind }) => kind === 'computed');
}

const ofHead = sharedLoader<LoadedPage[]>('computed pages', readOfHeads, { isStored: true });

/** Heads without computed pages have an empty list. Other revisions are left out. */
async function readOfHeads(db: Database, ids: string[]): Promise<Map<string, LoadedPage[]>> {
  const { rows } = await sql<PlaceRow & { revisionId: string; isPage: boolean }>`
    select s.revision_id, h.page_id is not null as is_page, h.parent_id, h.position, h.path, ${nodeColumns}
    from space s
    left join head_page h on h.space_id = s.id and h.kind = 'computed'
    left join page_node n on n.organization_id = h.organization_id and n.hash = h.node_hash
    where s.revision_id = any(${ids}::text[])
    order by s.revision_id, h.parent_id nulls first, h.position`.execute(db);
  const pagesByRevision = Map.groupBy(rows, ({ revisionId }) => revisionId);
  return new Map(
    [...pagesByRevision].map(([revisionId, pages]) => [revisionId, pages.filter(({ isPage }) => isPage).map(pageOf)]),
  );
}

/** A computed page of the primary content of a space. */
export interface ComputedRoot {
  spaceId: string;
  /** Titles of its ancestors, from the top level down. */
  above: string[];
  page: LoadedPage;
}

/** The first computed pages of spaces, by space. Does not check access. */
export async function computedRoots(
  { db }: Context,
  { spaceIds, limit }: { spaceIds: readonly string[]; limit: number },
): Promise<ComputedRoot[]> {
  const { rows } = await sql<PlaceRow & { spaceId: string; above: string[] }>`
    select h.space_id, h.parent_id, h.position, h.path, ${nodeColumns},
      ${titlesAbove} as above
    from head_page h
    join page_node n on n.organization_id = h.organization_id and n.hash = h.node_hash
    where h.space_id = any(${[...spaceIds]}::text[]) and h.kind = 'computed'
    order by h.space_id, h.page_id
    limit ${limit}`.execute(db);
  return rows.map(({ spaceId, above, ...row }) => ({ spaceId, above, page: pageOf(row) }));
}
