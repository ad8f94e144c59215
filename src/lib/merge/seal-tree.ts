import type { Yielder } from '../tick.ts';
import { type NewNode, type NodeTimes, nodeHash, type PageContent, type TreeNode } from '../tree/node.ts';
import type { Children } from './children.ts';
import type { TreeVersions } from './page-versions.ts';

export interface MergedTree {
  rootHash: string;
  /** New nodes to store, children before parents. */
  newNodes: NewNode[];
}

/** A page of the merged tree, without its position and children. */
export type MergedPage = { content: PageContent; times: NodeTimes };

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
