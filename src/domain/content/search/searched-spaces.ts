import type { Context } from '../../../platform/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import type { Found } from './find-pages.ts';
import { findSeenPages, type SeenPages } from './find-seen-pages.ts';
import { loadPages, type PlacedHit, type SearchedPage } from './load-results.ts';
import { rankedList } from './ranked-list.ts';
import type { SearchScope } from './scope.ts';

/** A search result for a space. */
export interface SearchedSpaceResult {
  id: string;
  title: string;
  /** Score of the best page. */
  score: number;
  /** Best first. */
  pages: SearchedPage[];
}

/** Maximum number of pages per space. Searching the space returns more. */
const MAX_PAGES = 10;

/**
 * Finds the spaces with matching pages, best page first. Cursors are bound to `binding`, which identifies the scope. The
 * scope is computed again for each page of results and must only contain spaces that the caller can view. What conditions
 * hide from the caller is not found.
 */
export function searchedSpaces(
  ctx: Context,
  { binding, scope, text }: { binding: string; scope(): Promise<SearchScope>; text: string },
) {
  let found: Promise<SeenPages> | undefined;
  const find = () => {
    found ??= scope().then((searched) => findSeenPages(ctx, searched, text));
    return found;
  };
  return rankedList<FoundSpace, SearchedSpaceResult>(ctx, {
    binding: JSON.stringify([binding, text]),
    read: async () => bySpace((await find()).hits),
    load: async (spaces) => loadSpaces(ctx, spaces, await find()),
  });
}

interface FoundSpace {
  id: string;
  score: number;
  hits: PlacedHit[];
}

/** Groups hits by space, in the order of the best hit. */
const bySpace = (hits: Found['hits']): FoundSpace[] =>
  [...Map.groupBy(placed(hits), ({ spaceId }) => spaceId)].map(([id, own]) => ({
    id,
    score: own[0]?.score ?? 0,
    hits: own.slice(0, MAX_PAGES),
  }));

const placed = (hits: Found['hits']): PlacedHit[] => hits.map((hit, index) => ({ ...hit, rank: index + 1 }));

async function loadSpaces(
  { db }: Context,
  spaces: readonly FoundSpace[],
  found: SeenPages,
): Promise<SearchedSpaceResult[]> {
  const ids = anyOf(spaces.map(({ id }) => id));
  const rows = await db.selectFrom('space').where('id', '=', ids).select(['id', 'title']).execute();
  const titles = new Map(rows.map(({ id, title }) => [id, title]));
  const hits = spaces.flatMap((space) => space.hits);
  const pagesOf = Map.groupBy(await loadPages(db, hits, found), ({ spaceId }) => spaceId);
  return spaces.flatMap(({ id, score }) => {
    const title = titles.get(id);
    return title === undefined ? [] : [{ id, title, score, pages: pagesOf.get(id) ?? [] }];
  });
}
