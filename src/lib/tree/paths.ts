import type { ProjectionChanges } from './projection.ts';
import type { HeadRow } from './rows.ts';

/** A page on a path through a tree, with its node and its position among its siblings. */
export interface PathStep {
  pageId: string;
  nodeHash: string;
  position: number;
}

/**
 * Paths from the top of a tree to pages, each ending with the page itself. A lookup must know all pages of its tree,
 * since pages it leaves out count as absent. Hashes and positions are hints: wrong ones cost time, but are not
 * incorrect.
 */
export type PathLookup = (pageIds: string[]) => Promise<Map<string, PathStep[]>>;

/** A lookup that skips pages that are known to be new and therefore not in any tree yet. */
export function exceptNew(base: PathLookup, fresh: ReadonlySet<string>): PathLookup {
  return async (pageIds) => {
    const others = pageIds.filter((pageId) => !fresh.has(pageId));
    return others.length === 0 ? new Map() : base(others);
  };
}

/** A lookup in a tree that differs from the base tree by these changes. Unchanged rows are looked up in the base. */
export function overlayPaths(base: PathLookup, { upserts, deletes }: ProjectionChanges): PathLookup {
  const changed = new Map(upserts.map((row) => [row.pageId, placeOf(row)]));
  return async (pageIds) => {
    const places = new Map(changed);
    const missing = new Set(deletes);
    for (let open = openEnds(places, pageIds, missing); open.length > 0; open = openEnds(places, pageIds, missing)) {
      for (const path of (await base(open)).values()) addPath(places, path, missing);
      for (const pageId of open) if (!places.has(pageId)) missing.add(pageId);
    }
    return pathsThrough(places, pageIds);
  };
}

interface Place extends PathStep {
  parentId: string | null;
}

const placeOf = ({ pageId, nodeHash, position, parentId }: HeadRow): Place => ({
  pageId,
  nodeHash,
  position,
  parentId,
});

/** The pages where upward paths end before the top level. They have to be looked up in the base. */
function openEnds(places: ReadonlyMap<string, Place>, pageIds: string[], missing: ReadonlySet<string>): string[] {
  const ends = new Set<string>();
  for (const pageId of pageIds) {
    let end: string | null | undefined = pageId;
    while (typeof end === 'string' && places.has(end)) end = places.get(end)?.parentId;
    if (typeof end === 'string' && !missing.has(end)) ends.add(end);
  }
  return [...ends];
}

function addPath(places: Map<string, Place>, path: readonly PathStep[], missing: ReadonlySet<string>): void {
  path.forEach((step, level) => {
    if (places.has(step.pageId) || missing.has(step.pageId)) return;
    places.set(step.pageId, { ...step, parentId: path[level - 1]?.pageId ?? null });
  });
}

function pathsThrough(places: ReadonlyMap<string, Place>, pageIds: string[]): Map<string, PathStep[]> {
  const paths = pageIds.map((pageId): [string, PathStep[]] => [pageId, pathTo(places, pageId)]);
  return new Map(paths.filter(([, path]) => path.length > 0));
}

function pathTo(places: ReadonlyMap<string, Place>, pageId: string | null): PathStep[] {
  const place = pageId === null ? undefined : places.get(pageId);
  if (place === undefined) return [];
  const { parentId, ...step } = place;
  return [...pathTo(places, parentId), step];
}

/** Returns the path from the top level to a page, including the page. Empty if the page is not among the pages. */
export function pathInTree<Page extends Pick<HeadRow, 'parentId'>>(
  byId: ReadonlyMap<string, Page>,
  pageId: string,
): Page[] {
  const way: Page[] = [];
  let page = byId.get(pageId);
  while (page) {
    way.push(page);
    page = page.parentId === null ? undefined : byId.get(page.parentId);
  }
  return way.reverse();
}
