import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { hiddenPages } from '../../store/trees/index.ts';
import { loadRevision } from '../revisions/index.ts';
import type { SearchedSpace } from './scope.ts';

/**
 * Adds to spaces what conditions hide from the caller, for callers without a role: ids of pages and of all pages below
 * them. Without a statement where the caller has a role on all spaces, and with the same number of statements for any
 * number of others.
 */
export async function withHiddenPages<Space extends SearchedSpace>(
  ctx: Context,
  spaces: readonly Space[],
): Promise<Space[]> {
  const restricted = spaces.filter(({ findsAll, hidden }) => !findsAll && hidden === undefined);
  const tops = await Promise.all(restricted.map(({ id }) => hiddenIn(ctx, id)));
  const hidden = await below(ctx, tops.flat());
  return spaces.map((space) => ({ ...space, hidden: space.hidden ?? hidden.get(space.id) ?? [] }));
}

interface PageInSpace {
  spaceId: string;
  pageId: string;
}

async function hiddenIn(ctx: Context, spaceId: string): Promise<PageInSpace[]> {
  const space = await loadSpace(ctx, spaceId);
  const revision = space && (await loadRevision(ctx, space.revisionId));
  const hidden = revision && (await hiddenPages(ctx, revision));
  return [...(hidden?.ids ?? [])].map((pageId) => ({ spaceId, pageId }));
}

/** Ids of the pages and of all pages below them, by space. */
async function below(ctx: Context, tops: readonly PageInSpace[]): Promise<Map<string, string[]>> {
  if (tops.length === 0) return new Map();
  const [spaceIds, pageIds] = [tops.map(({ spaceId }) => spaceId), tops.map(({ pageId }) => pageId)];
  const { rows } = await sql<PageInSpace>`
    with recursive below as (
      select h.space_id, h.page_id from unnest(${spaceIds}::text[], ${pageIds}::text[]) as w(space_id, page_id)
      join head_page h on h.space_id = w.space_id and h.page_id = w.page_id
      union
      select h.space_id, h.page_id from below
      join head_page h on h.space_id = below.space_id and h.parent_id = below.page_id
    )
    select space_id, page_id from below`.execute(ctx.db);
  const bySpace = Map.groupBy(rows, ({ spaceId }) => spaceId);
  return new Map([...bySpace].map(([spaceId, pages]) => [spaceId, pages.map(({ pageId }) => pageId)]));
}
