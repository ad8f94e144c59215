import type { NewNode, StoredNode } from '../../../src/lib/tree/node.ts';
import type { HashSource } from '../../../src/lib/tree/source.ts';

/** Nodes in memory, with a count of what is asked of them. */
export interface Store<Node> {
  source: HashSource<Node>;
  add(nodes: Iterable<Node & { hash: string }>): void;
  nodes: Map<string, Node>;
  calls: number;
  loaded: number;
  resetCounts(): void;
}

export function makeStore<Node>(): Store<Node> {
  const nodes = new Map<string, Node>();
  const store: Store<Node> = {
    nodes,
    calls: 0,
    loaded: 0,
    source: async (hashes) => {
      const found = new Map(hashes.flatMap((hash): [string, Node][] => pair(hash, nodes.get(hash))));
      store.calls++;
      store.loaded += found.size;
      return found;
    },
    add: (added) => {
      for (const node of added) nodes.set(node.hash, node);
    },
    resetCounts: () => Object.assign(store, { calls: 0, loaded: 0 }),
  };
  return store;
}

export const makeTreeStore = () => makeStore<StoredNode>();

export type TreeStore = Store<StoredNode> & { add(nodes: Iterable<NewNode>): void };

const pair = <Node>(hash: string, node: Node | undefined): [string, Node][] => (node ? [[hash, node]] : []);
