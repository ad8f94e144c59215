import { MAX_CHILDREN, MAX_TREE_LEVELS } from '../tree/position.ts';
import { fetchNodes, type NodeSource } from '../tree/source.ts';
import { type Children, childLists } from './children.ts';
import type { MergedParents } from './merge-parents.ts';
import { levelIn, type TreeVersions } from './page-versions.ts';

/** A parent with too many children or a page at too great a depth, and the pages that cause it. */
export interface Overfull {
  pageId: string | null;
  pages: string[];
}

type Placed = Pick<MergedParents, 'parents'> & { children: Children };

/**
 * The first violation of the limits of a tree. Loads subtrees only where the sides together move them deeper than
 * either does.
 */
export async function findOverfull(
  versions: TreeVersions,
  placed: Placed,
  source: NodeSource,
): Promise<Overfull | undefined> {
  for (const [pageId, children] of placed.children) {
    if (children.length > MAX_CHILDREN) return { pageId, pages: differing(versions, pageId, children) };
  }
  const tooDeep = await findTooDeep(versions, placed, source);
  if (tooDeep === undefined) return undefined;
  return { pageId: tooDeep, pages: lineOf(tooDeep, placed).filter((pageId) => isMoved(versions, pageId)) };
}

/** The children that only one side has below this parent. */
function differing(versions: TreeVersions, parentId: string | null, children: readonly string[]): string[] {
  const lists = childLists(versions, parentId);
  const [ours, theirs] = [new Set(lists.ours), new Set(lists.theirs)];
  return children.filter((name) => !ours.has(name) || !theirs.has(name));
}

async function findTooDeep(versions: TreeVersions, placed: Placed, source: NodeSource): Promise<string | undefined> {
  const lowered: { hash: string; level: number; pageId: string }[] = [];
  for (const pageId of placed.parents.keys()) {
    const level = lineOf(pageId, placed).length;
    if (level > MAX_TREE_LEVELS) return pageId;
    if (level <= Math.max(levelIn(versions.pages, 'ours', pageId), levelIn(versions.pages, 'theirs', pageId))) continue;
    const unread = (placed.children.get(pageId) ?? []).filter((name) => !versions.pages.has(name));
    lowered.push(...unread.map((hash) => ({ hash, level: level + 1, pageId })));
  }
  for (let row = lowered; row.length > 0; ) {
    const deep = row.find(({ level }) => level > MAX_TREE_LEVELS);
    if (deep) return deep.pageId;
    const nodes = await fetchNodes(
      source,
      row.map(({ hash }) => hash),
    );
    row = row.flatMap(({ hash, level, pageId }) => {
      return (nodes.get(hash)?.children ?? []).map((child) => ({ hash: child, level: level + 1, pageId }));
    });
  }
  return undefined;
}

/** A page and its ancestors, from the page up. */
function lineOf(pageId: string, { parents }: Pick<MergedParents, 'parents'>): string[] {
  const line: string[] = [];
  for (let at: string | null = pageId; at !== null; at = parents.get(at) ?? null) line.push(at);
  return line;
}

/** Whether the sides have a page below different parents, or one does not have it. */
function isMoved({ pages }: TreeVersions, pageId: string): boolean {
  const { ours, theirs } = pages.get(pageId) ?? {};
  return !ours || !theirs || ours.parentId !== theirs.parentId;
}
