import { sql } from 'kysely';
import type { Context } from '../../../platform/context.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { hiddenPages } from '../../store/trees/index.ts';
import { loadRevision } from '../revisions/index.ts';
import type { SearchedSpace } from './scope.ts';

/**
 * Adds to spaces what conditions hide from the caller, for callers without a role: ids of pages and of all pages below
 * them. Without a statement where the caller has a role on all spaces.
 */
export async function withHiddenPages(ctx: Context, spaces: readonly SearchedSpace[]): Promise<SearchedSpace[]> {
  return Promise.all(
    spaces.map(async (searched) => {
      if (searched.findsAll) return searched;
      const space = await loadSpace(ctx, searched.id);
      const revision = space && (await loadRevision(ctx, space.revisionId));
      const hidden = revision && (await hiddenPages(ctx, revision));
      return hidden ? { ...searched, hidden: await idsBelow(ctx, searched.id, [...hidden.ids]) } : searched;
    }),
  );
}

async function idsBelow(ctx: Context, spaceId: string, pageIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ pageId: string }>`
    with recursive below as (
      select h.page_id from head_page h where h.space_id = ${spaceId} and h.page_id = any(${pageIds}::text[])
      union
      select h.page_id from below join head_page h on h.space_id = ${spaceId} and h.parent_id = below.page_id
    )
    select page_id from below`.execute(ctx.db);
  return rows.map(({ pageId }) => pageId);
}
