import { type NewNode, type NodeTimes, nodeHash, type TreeNode } from '../tree/node.ts';
import type { Children } from './children.ts';
import type { MergedPage, MergedTree } from './merge-pages.ts';
import type { TreeVersions } from './page-versions.ts';

/** Hashes the merged tree bottom-up; subtrees that are the same in all versions are named by their hashes. */
export function sealTree(
  pages: ReadonlyMap<string, MergedPage>,
  { roots, isStored }: TreeVersions,
  children: Children,
): MergedTree {
  const newNodes = new Map<string, NewNode>();
  const write = (node: TreeNode, times: NodeTimes): string => {
    const hash = nodeHash(node);
    if (!isStored(hash)) newNodes.set(hash, { ...node, ...times, hash });
    return hash;
  };
  const below = (pageId: string | null): string[] => (children.get(pageId) ?? []).map(seal);
  const seal = (name: string): string => {
    const page = pages.get(name);
    return page ? write({ ...page.content, children: below(name) }, page.times) : name;
  };
  const { createdAt, updatedAt, updatedBy } = roots.theirs;
  return {
    rootHash: write({ kind: 'root', children: below(null) }, { createdAt, updatedAt, updatedBy }),
    newNodes: [...newNodes.values()],
  };
}
