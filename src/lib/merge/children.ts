import type { Yielder } from '../tick.ts';
import { mergeOrder } from './merge-order.ts';
import type { MergedParents } from './merge-parents.ts';
import type { TreeVersions } from './page-versions.ts';
import { mapThreeWay, type ThreeWay } from './three-way.ts';

/**
 * Ordered children of merged pages: ids of pages that differ between the versions, hashes of all others. The key null
 * is the top level.
 */
export type Children = ReadonlyMap<string | null, string[]>;

/** Merges the children of every page that differs, and of the top level. */
export async function mergeChildren(
  versions: TreeVersions,
  { parents }: Pick<MergedParents, 'parents'>,
  pause: Yielder,
): Promise<Children> {
  const byParent = Map.groupBy(parents.keys(), (pageId) => parents.get(pageId) ?? null);
  const children = new Map<string | null, string[]>();
  for (const parentId of [null, ...parents.keys()]) {
    const lists = childLists(versions, parentId);
    const names = new Set(byParent.get(parentId)?.toSorted());
    for (const name of [...lists.theirs, ...lists.ours, ...lists.base]) if (!versions.pages.has(name)) names.add(name);
    children.set(parentId, mergeOrder(lists, names));
    await pause();
  }
  return children;
}

/** The children of a page in each version, as ids or hashes. */
export function childLists({ pages, roots, pageIdOf }: TreeVersions, parentId: string | null): ThreeWay<string[]> {
  const named = (hashes: readonly string[] = []) => hashes.map((hash) => pageIdOf(hash) ?? hash);
  if (parentId === null) return mapThreeWay(roots, (root) => named(root.children));
  const versions = pages.get(parentId) ?? { base: undefined, ours: undefined, theirs: undefined };
  return mapThreeWay(versions, (page) => named(page?.node.children));
}
