import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import { readCaughtUp } from '../../../platform/reads/read-caught-up.ts';
import { findSeenPages, type SeenPages } from './find-seen-pages.ts';
import { findSpaces, type SpaceHit } from './find-spaces.ts';
import { loadFoundPages, type PlacedHit, resultIdOf, type SearchedPage } from './load-results.ts';
import { rankedList } from './ranked-list.ts';
import type { TitledScope } from './scope.ts';
import type { Found } from './search-pages.ts';

/** A search result for a space. */
export interface SearchedSpaceResult {
  id: string;
  /** Identifies the result: the space as this search finds it. */
  resultId: string;
  title: string;
  /** Score of the title of the space or of the best page, whichever is higher. */
  score: number;
  /** Best first. Empty if only the title of the space matches. */
  pages: SearchedPage[];
}

/** Maximum number of pages per space. Searching the space returns more. */
const MAX_PAGES = 10;

/**
 * Finds the spaces with a matching title or matching pages, best first. Cursors are bound to `binding`, which
 * identifies the scope. The scope is computed again for each page of results and must only contain spaces that the
 * caller can view. What conditions hide from the caller is not found.
 */
export function searchedSpaces(
  ctx: Context,
  { binding, scope, text }: { binding: string; scope(): Promise<TitledScope>; text: string },
) {
  let pending: Promise<FoundInSpaces> | undefined;
  const find = () => {
    pending ??= scope().then((searched) => findIn(ctx, searched, text));
    return pending;
  };
  const search = JSON.stringify([binding, text]);
  return rankedList<FoundSpace, SearchedSpaceResult>(ctx, {
    binding: search,
    read: async () => bySpace(await find()),
    load: async (spaces) => loadSpaces(ctx, spaces, await find(), search),
  });
}

interface FoundSpace {
  id: string;
  score: number;
  hits: PlacedHit[];
}

type FoundInSpaces = SeenPages & { spaces: SpaceHit[] };

async function findIn(ctx: Context, scope: TitledScope, text: string): Promise<FoundInSpaces> {
  const seenPages = await findSeenPages(ctx, scope, text);
  return { ...seenPages, spaces: await findSpaces(scope.spaces, seenPages.terms) };
}

/** Groups hits by space. The better of its title and its best page decides about its place. */
function bySpace({ hits, spaces }: FoundInSpaces): FoundSpace[] {
  const pagesOf = Map.groupBy(placed(hits), ({ spaceId }) => spaceId);
  const titles = new Map(spaces.map(({ id, score }) => [id, score]));
  const all = [...new Set([...titles.keys(), ...pagesOf.keys()])].map((id) => {
    const pageHits = pagesOf.get(id) ?? [];
    return { id, score: Math.max(titles.get(id) ?? 0, pageHits[0]?.score ?? 0), hits: pageHits.slice(0, MAX_PAGES) };
  });
  return all.sort((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1));
}

const placed = (hits: Found['hits']): PlacedHit[] => hits.map((hit, index) => ({ ...hit, rank: index + 1 }));

async function loadSpaces(
  ctx: Context,
  spaces: readonly FoundSpace[],
  seenPages: SeenPages,
  search: string,
): Promise<SearchedSpaceResult[]> {
  const ids = anyOf(spaces.map(({ id }) => id));
  const rows = await ctx.db.selectFrom('space').where('id', '=', ids).select(['id', 'title']).execute();
  const titles = new Map(rows.map(({ id, title }) => [id, title]));
  const hits = spaces.flatMap((space) => space.hits);
  const pages = await readCaughtUp(ctx, (db) => loadFoundPages(db, hits, seenPages, search));
  const pagesOf = Map.groupBy(pages, ({ spaceId }) => spaceId);
  return spaces.flatMap(({ id, score }) => {
    const title = titles.get(id);
    return title === undefined
      ? []
      : [{ id, resultId: resultIdOf(search, id), title, score, pages: pagesOf.get(id) ?? [] }];
  });
}
