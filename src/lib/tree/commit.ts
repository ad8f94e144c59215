import { canonicalJson } from '../canonical.ts';
import type { Draft, DraftTree } from './draft.ts';
import { type NewNode, type NodeTimes, nodeHash, type PageContent, type TreeNode } from './node.ts';

/** Author and time of the commit. The time is text in the format of the database. */
export interface CommitAuthor {
  now: string;
  userId: string | null;
}

export interface TreeCommit {
  rootHash: string;
  /** The nodes to store, children before parents, without nodes that were loaded from the base. */
  newNodes: NewNode[];
}

/** Hashes the drafts bottom-up. Only reads the tree: the same drafts return the same result again. */
export function sealDrafts(tree: DraftTree, author: CommitAuthor): TreeCommit {
  const nodes = new Map<string, NewNode>();
  const seal = (draft: Draft): string => {
    if (draft.origin && !draft.isDirty) return draft.origin.hash;
    const children = draft.children.map((slot) => (typeof slot === 'string' ? slot : seal(slot)));
    const node: TreeNode = draft.content ? { ...draft.content, children } : { kind: 'root', children };
    const hash = nodeHash(node);
    if (!tree.isStored(hash)) nodes.set(hash, { ...node, ...timesOf(draft, author), hash });
    return hash;
  };
  return { rootHash: seal(tree.root), newNodes: [...nodes.values()] };
}

/** A page counts as updated when its own fields or body change, but not when its place or children change. */
function timesOf(draft: Draft, { now, userId }: CommitAuthor): NodeTimes {
  if (draft.origin === null) return { createdAt: now, updatedAt: now, updatedBy: userId };
  const { createdAt, updatedAt, updatedBy, ...before } = draft.origin.node;
  if (before.kind === 'root' || (draft.content && isSamePage(before, draft.content))) {
    return { createdAt, updatedAt, updatedBy };
  }
  return { createdAt, updatedAt: now, updatedBy: userId };
}

function isSamePage(a: PageContent, b: PageContent): boolean {
  if (a.documentHash !== b.documentHash || a.sourceHash !== b.sourceHash) return false;
  return canonicalJson(a.fields) === canonicalJson(b.fields);
}
