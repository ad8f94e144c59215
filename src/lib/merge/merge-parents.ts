import type { PlacedPage } from '../tree/diff.ts';
import type { ConflictResolver } from './conflict.ts';
import { anyVersion, type PageInVersions } from './page-versions.ts';
import type { Survivors } from './survivors.ts';
import { mapThreeWay, pickSide, type Side } from './three-way.ts';
import { canHaveChildren } from './whole-pages.ts';

/** Positions of pages in the merged tree. */
export interface MergedParents {
  /** The parent of each differing page in the merged tree. Null is the top level. */
  parents: Map<string, string | null>;
}

/** The pages of the merged tree before their positions are resolved. */
export interface MergedPages {
  /** The parents that the versions together give the pages. */
  parents: ReadonlyMap<string, string | null>;
  survivors: Survivors;
  wholes: ReadonlyMap<string, PlacedPage>;
}

/**
 * A resolved position: a page gets the parent of that version, and is left out if it does not have the page. `out`
 * leaves out a page for which there is no room while its conflict is open.
 */
export type Placing = Side | 'top' | 'out';

export type Placings = ReadonlyMap<string, Placing>;

/** Merges the parents of pages. A page moved to different parents is a conflict of the field `parent`. */
export function mergeParents(
  pages: ReadonlyMap<string, PageInVersions>,
  { alive, reverted }: Survivors,
  resolver: ConflictResolver,
): Map<string, string | null> {
  const parents = new Map<string, string | null>();
  for (const [pageId, from] of alive) {
    const versions = pages.get(pageId);
    if (!versions) continue;
    const places = mapThreeWay(versions, (page) => page?.parentId ?? null);
    if (versions.base && reverted.has(pageId)) {
      parents.set(pageId, places.base);
      continue;
    }
    // Null of a page that the base does not have is not the top level.
    const side =
      from ?? pickSide(places, (a, b) => a === b && (versions.base !== undefined || places.ours === places.theirs));
    const chosen = side ?? chooseParent(pageId, versions, places, resolver);
    parents.set(pageId, places[chosen]);
  }
  return parents;
}

/** The version whose parent a page gets that was moved to different ones. While that is open, it stays where it was. */
function chooseParent(
  pageId: string,
  { base }: PageInVersions,
  places: Record<Side, string | null>,
  resolver: ConflictResolver,
): Side {
  const target = { type: 'page' as const, id: pageId };
  const values = mapThreeWay(places, (value) => ({ value }));
  const choice = resolver.choose({ kind: 'field', target, field: 'parent', ...values });
  return choice ?? (base ? 'base' : firstOf(places.ours, places.theirs) === places.ours ? 'ours' : 'theirs');
}

/**
 * The first of two parents in an order that does not depend on the sides, so that swapping them finds the same
 * conflicts.
 */
const firstOf = (a: string | null, b: string | null): string | null => ((a ?? '') < (b ?? '') ? a : b);

/** Gives every page an existing parent that can have children. The result may still contain cycles. */
export function layOut(
  pages: ReadonlyMap<string, PageInVersions>,
  { parents: proposed, survivors, wholes }: MergedPages,
  placings: Placings,
): MergedParents {
  const dropped = new Map(survivors.dropped);
  const parents = new Map<string, string | null>();
  for (const [pageId, parentId] of proposed) {
    const placing = placings.get(pageId);
    const side = placing === 'top' || placing === 'out' ? undefined : placing;
    const placed = side && pages.get(pageId)?.[side];
    const isLeftOut = survivors.reverted.has(pageId) && pages.get(pageId)?.base === undefined;
    if (isLeftOut) dropped.set(pageId, 'base');
    else if (placing === undefined) parents.set(pageId, parentId);
    else if (placing === 'top') parents.set(pageId, null);
    else if (placed) parents.set(pageId, placed.parentId);
    else dropped.set(pageId, side ?? 'theirs');
  }
  dropBelow(pages, parents, dropped);
  return rehang(pages, parents, wholes);
}

/** Leaves out new pages below a page that is left out, if the chosen version does not have them. */
function dropBelow(
  pages: ReadonlyMap<string, PageInVersions>,
  parents: Map<string, string | null>,
  dropped: Map<string, Side>,
): void {
  if (dropped.size === 0) return;
  const below = Map.groupBy(parents.keys(), (pageId) => parents.get(pageId) ?? null);
  for (const [pageId, side] of dropped) {
    for (const child of below.get(pageId) ?? []) {
      const versions = pages.get(child);
      if (versions?.base || versions?.[side]) continue;
      parents.delete(child);
      // Iteration over a map includes entries that are added meanwhile.
      dropped.set(child, side);
    }
  }
}

/**
 * Moves pages whose parent is left out or can have no children to their parent on the other side, or to the nearest
 * ancestor that can have them; and groups to the top level.
 */
function rehang(
  pages: ReadonlyMap<string, PageInVersions>,
  parents: Map<string, string | null>,
  wholes: ReadonlyMap<string, PlacedPage>,
): MergedParents {
  const canHold = (pageId: string | null) =>
    pageId === null || (parents.has(pageId) && canHaveChildren(wholes.get(pageId)?.node.kind ?? 'document'));
  for (const [pageId, parentId] of [...parents]) {
    if (wholes.get(pageId)?.node.kind === 'group') parents.set(pageId, null);
    else if (!canHold(parentId)) parents.set(pageId, parentFor(pageId, parentId));
  }
  return { parents };

  function parentFor(pageId: string, parentId: string | null): string | null {
    const { theirs, ours } = pages.get(pageId) ?? {};
    const others = [theirs, ours].flatMap((page) => (page && canHold(page.parentId) ? [page.parentId] : []));
    let above = others.length > 0 ? others.reduce(firstOf) : parentId;
    while (!canHold(above)) above = aboveOf(pages, above);
    return above;
  }
}

function aboveOf(pages: ReadonlyMap<string, PageInVersions>, pageId: string | null): string | null {
  const versions = pages.get(pageId ?? '');
  return (versions && anyVersion(versions)?.parentId) ?? null;
}
