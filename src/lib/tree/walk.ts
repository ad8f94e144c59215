import type { StoredNode } from './node.ts';
import { fetchNodes, type NodeSource, nodeIn } from './source.ts';

/** A node found on the way down a tree. */
export interface NodeVisit {
  hash: string;
  parent: NodeVisit | null;
  position: number;
  /** Only loaded if the node is not in both trees. */
  node?: StoredNode;
}

/** The nodes of a tree by hash and level, without those below a node that both trees have. */
export type NodeVisits = ReadonlyMap<string, NodeVisit>;

/**
 * Walks down two trees together, with one load per level, and stops at every node that both trees have, at any place,
 * since its descendants are equal. A null root is an empty tree.
 */
export async function walkApart(
  baseRoot: string | null,
  otherRoot: string | null,
  source: NodeSource,
): Promise<{ base: NodeVisits; other: NodeVisits }> {
  const base = startAt(baseRoot);
  const other = startAt(otherRoot);
  for (;;) {
    const open = { base: openIn(base, other.visits), other: openIn(other, base.visits) };
    const visits = [...open.base, ...open.other];
    if (visits.length === 0) break;
    const nodes = await fetchNodes(
      source,
      visits.map(({ hash }) => hash),
    );
    for (const visit of visits) visit.node = nodeIn(nodes, visit.hash);
    descend(base, open.base);
    descend(other, open.other);
  }
  return { base: differing(base.visits, other.visits), other: differing(other.visits, base.visits) };
}

interface Side {
  visits: Map<string, NodeVisit>;
  frontier: NodeVisit[];
}

function startAt(root: string | null): Side {
  const frontier = root === null ? [] : [{ hash: root, parent: null, position: 0 }];
  return { visits: new Map(frontier.map((visit) => [visit.hash, visit])), frontier };
}

const openIn = (side: Side, facing: NodeVisits): NodeVisit[] =>
  side.frontier.filter((visit) => !isShared(visit, facing));

function descend(side: Side, open: readonly NodeVisit[]): void {
  side.frontier = open.flatMap((parent) => {
    return (parent.node?.children ?? []).map((hash, position) => ({ hash, parent, position }));
  });
  for (const visit of side.frontier) side.visits.set(visit.hash, visit);
}

/** A node may be found deeper in the other tree only after the walk has passed it. */
function differing(visits: NodeVisits, facing: NodeVisits): NodeVisits {
  return new Map([...visits].filter(([, { parent }]) => parent === null || !isShared(parent, facing)));
}

function isShared({ hash, parent }: NodeVisit, facing: NodeVisits): boolean {
  return facing.has(hash) || (parent !== null && isShared(parent, facing));
}
