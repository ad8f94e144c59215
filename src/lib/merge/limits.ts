import { MAX_CHILDREN, MAX_DEPTH } from '../tree/position.ts';
import { fetchNodes, type NodeSource } from '../tree/source.ts';
import { type Children, childLists } from './children.ts';
import { levelIn, type TreeVersions } from './page-versions.ts';
import type { Layout } from './places.ts';

/** A parent that would be too full, or a page that would be too deep, and the pages whose places make it so. */
export interface Overfull {
  pageId: string | null;
  pages: string[];
}

type Placed = Pick<Layout, 'parents'> & { children: Children };

/** What breaks the limits of a tree, if anything does. Loads subtrees only where both sides together push them down. */
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

/** The children that not both sides have under this parent. */
function differing(versions: TreeVersions, parentId: string | null, children: readonly string[]): string[] {
  const lists = childLists(versions, parentId);
  const [ours, theirs] = [new Set(lists.ours), new Set(lists.theirs)];
  return children.filter((name) => !ours.has(name) || !theirs.has(name));
}

async function findTooDeep(versions: TreeVersions, placed: Placed, source: NodeSource): Promise<string | undefined> {
  const lowered: { hash: string; level: number; pageId: string }[] = [];
  for (const pageId of placed.parents.keys()) {
    const level = lineOf(pageId, placed).length;
    if (level > MAX_DEPTH) return pageId;
    if (level <= Math.max(levelIn(versions.pages, 'ours', pageId), levelIn(versions.pages, 'theirs', pageId))) continue;
    const unread = (placed.children.get(pageId) ?? []).filter((name) => !versions.pages.has(name));
    lowered.push(...unread.map((hash) => ({ hash, level: level + 1, pageId })));
  }
  for (let row = lowered; row.length > 0; ) {
    const deep = row.find(({ level }) => level > MAX_DEPTH);
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

/** A page and all pages above it, upwards. */
function lineOf(pageId: string, { parents }: Pick<Layout, 'parents'>): string[] {
  const line: string[] = [];
  for (let at: string | null = pageId; at !== null; at = parents.get(at) ?? null) line.push(at);
  return line;
}

/** Whether the sides differ about the place of a page, or one lacks it. */
function isMoved({ pages }: TreeVersions, pageId: string): boolean {
  const { ours, theirs } = pages.get(pageId) ?? {};
  return !ours || !theirs || ours.parentId !== theirs.parentId;
}
