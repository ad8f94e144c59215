import type { Yielder } from '../tick.ts';
import { type NewNode, type NodeTimes, nodeHash, type TreeNode } from '../tree/node.ts';
import type { Children } from './children.ts';
import type { MergedPage, MergedTree } from './merged-tree.ts';
import type { TreeVersions } from './page-versions.ts';

/** Hashes the merged tree bottom-up. Subtrees that are the same in all versions keep their hashes. */
export async function sealTree(
  pages: ReadonlyMap<string, MergedPage>,
  { roots, isStored }: TreeVersions,
  children: Children,
  pause: Yielder,
): Promise<MergedTree> {
  const newNodes = new Map<string, NewNode>();
  const write = (node: TreeNode, times: NodeTimes): string => {
    const hash = nodeHash(node);
    if (!isStored(hash)) newNodes.set(hash, { ...node, ...times, hash });
    return hash;
  };
  const below = async (pageId: string | null): Promise<string[]> => {
    const hashes: string[] = [];
    for (const name of children.get(pageId) ?? []) {
      const page = pages.get(name);
      hashes.push(page ? write({ ...page.content, children: await below(name) }, page.times) : name);
      await pause();
    }
    return hashes;
  };
  const { createdAt, updatedAt, updatedBy } = roots.theirs;
  return {
    rootHash: write({ kind: 'root', children: await below(null) }, { createdAt, updatedAt, updatedBy }),
    newNodes: [...newNodes.values()],
  };
}
