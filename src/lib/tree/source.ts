import type { StoredNode } from './node.ts';

/** Loads nodes by hash, all in one load. Unknown hashes are left out of the result. */
export type HashSource<Node> = (hashes: string[]) => Promise<Map<string, Node>>;

export type NodeSource = HashSource<StoredNode>;

/**
 * A source that requests each hash at most once, and also returns nodes that were added to it before they are stored.
 */
export type RememberingSource<Node> = HashSource<Node> & { add(nodes: Iterable<Node & { hash: string }>): void };

export function remember<Node>(source: HashSource<Node>): RememberingSource<Node> {
  const cache = new Map<string, Node>();
  const load = async (hashes: string[]) => {
    const missing = [...new Set(hashes)].filter((hash) => !cache.has(hash));
    if (missing.length > 0) for (const [hash, node] of await source(missing)) cache.set(hash, node);
    return pick(cache, hashes);
  };
  const add = (nodes: Iterable<Node & { hash: string }>) => {
    for (const node of nodes) cache.set(node.hash, node);
  };
  return Object.assign(load, { add });
}

/**
 * Loads nodes that must exist; an empty list causes no load. A missing node means that the store is corrupt, so it is
 * not an API error.
 */
export async function fetchNodes<Node>(source: HashSource<Node>, hashes: Iterable<string>): Promise<Map<string, Node>> {
  const uniqueHashes = [...new Set(hashes)];
  if (uniqueHashes.length === 0) return new Map();
  const nodes = await source(uniqueHashes);
  const missing = uniqueHashes.find((hash) => !nodes.has(hash));
  if (missing !== undefined) throw new Error(`The content refers to ${missing}, which is not stored.`);
  return nodes;
}

/** The node with a hash from the result of `fetchNodes`. */
export function nodeIn<Node>(nodes: ReadonlyMap<string, Node>, hash: string): Node {
  const node = nodes.get(hash);
  if (node === undefined) throw new Error(`The node ${hash} was not loaded.`);
  return node;
}

function pick<Node>(nodes: ReadonlyMap<string, Node>, hashes: string[]): Map<string, Node> {
  const result = new Map<string, Node>();
  for (const hash of hashes) {
    const node = nodes.get(hash);
    if (node !== undefined) result.set(hash, node);
  }
  return result;
}
