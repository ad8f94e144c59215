import type { ConflictResolver } from './conflict.ts';
import { anyVersion, type PageVersions } from './page-versions.ts';
import type { Survivors } from './survivors.ts';
import { mapThree, pickSide, type Side } from './three.ts';

/** Positions of pages in the merged tree. */
export interface Layout {
  /** The parent of each differing page in the merged tree. Null is the top level. */
  parents: Map<string, string | null>;
}

/** Resolved positions: pages get the parent of that version, and are left out if it does not have them. */
export type Placings = ReadonlyMap<string, Side | 'top'>;

/** Merges the parents of pages. A page moved to different parents is a conflict of the field `parent`. */
export function mergeParents(
  pages: ReadonlyMap<string, PageVersions>,
  { alive }: Survivors,
  resolver: ConflictResolver,
): Map<string, string | null> {
  const parents = new Map<string, string | null>();
  for (const [pageId, from] of alive) {
    const versions = pages.get(pageId);
    if (!versions) continue;
    const places = mapThree(versions, (page) => page?.parentId ?? null);
    // Null of a page that the base does not have is not the top level.
    const side =
      from ?? pickSide(places, (a, b) => a === b && (versions.base !== undefined || places.ours === places.theirs));
    const chosen = side ?? chooseParent(pageId, places, resolver);
    parents.set(pageId, places[chosen]);
  }
  return parents;
}

function chooseParent(pageId: string, places: Record<Side, string | null>, resolver: ConflictResolver): Side {
  const target = { type: 'page' as const, id: pageId };
  const values = mapThree(places, (value) => ({ value }));
  return resolver.choose({ kind: 'field', target, field: 'parent', ...values }) ?? 'theirs';
}

/** Gives every page an existing parent. The result may still contain cycles. */
export function layOut(
  pages: ReadonlyMap<string, PageVersions>,
  wanted: ReadonlyMap<string, string | null>,
  { dropped }: Survivors,
  placings: Placings,
): Layout {
  const gone = new Map(dropped);
  const parents = new Map<string, string | null>();
  for (const [pageId, parentId] of wanted) {
    const placing = placings.get(pageId);
    const placed = placing === undefined || placing === 'top' ? undefined : pages.get(pageId)?.[placing];
    if (placing === undefined) parents.set(pageId, parentId);
    else if (placing === 'top') parents.set(pageId, null);
    else if (placed) parents.set(pageId, placed.parentId);
    else gone.set(pageId, placing);
  }
  dropBelow(pages, parents, gone);
  return rehang(pages, parents);
}

/** Leaves out new pages below a page that is left out, if the chosen version does not have them. */
function dropBelow(
  pages: ReadonlyMap<string, PageVersions>,
  parents: Map<string, string | null>,
  gone: Map<string, Side>,
): void {
  if (gone.size === 0) return;
  const below = Map.groupBy(parents.keys(), (pageId) => parents.get(pageId) ?? null);
  for (const [pageId, side] of gone) {
    for (const child of below.get(pageId) ?? []) {
      const versions = pages.get(child);
      if (versions?.base || versions?.[side]) continue;
      parents.delete(child);
      // Iteration over a map includes entries that are added meanwhile.
      gone.set(child, side);
    }
  }
}

/** Moves pages whose parent is left out to their parent on the other side, or to the nearest existing ancestor. */
function rehang(pages: ReadonlyMap<string, PageVersions>, parents: Map<string, string | null>): Layout {
  const isThere = (pageId: string | null) => pageId === null || parents.has(pageId);
  for (const [pageId, parentId] of [...parents]) {
    if (isThere(parentId)) continue;
    const { theirs, ours } = pages.get(pageId) ?? {};
    const other = [theirs, ours].find((page) => page && isThere(page.parentId));
    let above = other ? other.parentId : parentId;
    while (!isThere(above)) above = aboveOf(pages, above);
    parents.set(pageId, above);
  }
  return { parents };
}

function aboveOf(pages: ReadonlyMap<string, PageVersions>, pageId: string | null): string | null {
  const versions = pages.get(pageId ?? '');
  return (versions && anyVersion(versions)?.parentId) ?? null;
}
