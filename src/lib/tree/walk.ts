import type { StoredNode } from './node.ts';
import { fetchNodes, type NodeSource, nodeIn } from './source.ts';

/** A node found on the way down a tree. */
export interface Visit {
  hash: string;
  parent: Visit | null;
  position: number;
  /** Only loaded if the node is not in both trees. */
  node?: StoredNode;
}

/** The nodes of a tree by hash and level, without those below a node that both trees have. */
export type Visits = ReadonlyMap<string, Visit>;

/**
 * Walks down two trees together, with one load per level, and stops at every node that both trees have, at any place,
 * since its descendants are equal. A null root is an empty tree.
 */
export async function walkApart(
  baseRoot: string | null,
  otherRoot: string | null,
  source: NodeSource,
): Promise<{ base: Visits; other: Visits }> {
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
  visits: Map<string, Visit>;
  frontier: Visit[];
}

function startAt(root: string | null): Side {
  const frontier = root === null ? [] : [{ hash: root, parent: null, position: 0 }];
  return { visits: new Map(frontier.map((visit) => [visit.hash, visit])), frontier };
}

const openIn = (side: Side, facing: Visits): Visit[] => side.frontier.filter((visit) => !isShared(visit, facing));

function descend(side: Side, open: readonly Visit[]): void {
  side.frontier = open.flatMap((parent) => {
    return (parent.node?.children ?? []).map((hash, position) => ({ hash, parent, position }));
  });
  for (const visit of side.frontier) side.visits.set(visit.hash, visit);
}

/** A node may be found deeper in the other tree only after the walk has passed it. */
function differing(visits: Visits, facing: Visits): Visits {
  return new Map([...visits].filter(([, { parent }]) => parent === null || !isShared(parent, facing)));
}

function isShared({ hash, parent }: Visit, facing: Visits): boolean {
  return facing.has(hash) || (parent !== null && isShared(parent, facing));
}
