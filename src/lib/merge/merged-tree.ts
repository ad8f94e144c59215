import type { NewNode, NodeTimes, PageContent } from '../tree/node.ts';

export interface MergedTree {
  rootHash: string;
  /** New nodes to store, children before parents. */
  newNodes: NewNode[];
}

/** A page of the merged tree, without its position and children. */
export type MergedPage = { content: PageContent; times: NodeTimes };
