import { hashOf, sha256 } from '../canonical.ts';
import { fetchNodes, type HashSource } from './source.ts';

/** A file, reusable content or variable of a revision: JSON with an id that is unique in its manifest. */
export interface ManifestEntry {
  id: string;
}

/** A subtree of a manifest and its number of entries. */
export interface ManifestChild {
  hash: string;
  count: number;
}

/**
 * A node of a trie over the SHA-256 of entry ids, with one hexadecimal digit per level. Up to 64 entries form a leaf,
 * sorted by id; more are split among 16 children. Equal sets of entries therefore have equal nodes, regardless of their
 * history.
 */
export type ManifestNode<Entry extends ManifestEntry> = { entries: Entry[] } | { children: (ManifestChild | null)[] };

export type ManifestSource<Entry extends ManifestEntry> = HashSource<ManifestNode<Entry>>;

export const LEAF_SIZE = 64;

export const manifestHash = <Entry extends ManifestEntry>(node: ManifestNode<Entry>): string => hashOf(node);

/** The key that determines the place of an entry in the trie. */
export const trieKey = (id: string): string => sha256(id);

/** Index of the child, out of 16, that contains this key at a level. */
export const digitAt = (key: string, level: number): number => Number.parseInt(key.charAt(level), 16);

/** All entries, sorted by id. Uses one load per level. Null is the empty manifest. */
export async function readManifest<Entry extends ManifestEntry>(
  rootHash: string | null,
  source: ManifestSource<Entry>,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let level = rootHash === null ? [] : [rootHash]; level.length > 0; ) {
    const nodes = [...(await fetchNodes(source, level)).values()];
    for (const node of nodes) if ('entries' in node) entries.push(...node.entries);
    level = nodes.flatMap(childHashes);
  }
  return sortById(entries);
}

/** The entries with these ids; missing ones are left out. Only loads the paths to them. */
export async function getEntries<Entry extends ManifestEntry>(
  rootHash: string | null,
  source: ManifestSource<Entry>,
  ids: readonly string[],
): Promise<Map<string, Entry>> {
  const idSet = new Set(ids);
  const entries = new Map<string, Entry>();
  let level = rootHash === null ? [] : [{ hash: rootHash, keys: [...idSet].map(trieKey) }];
  for (let depth = 0; level.length > 0; depth++) {
    const nodes = await fetchNodes(
      source,
      level.map(({ hash }) => hash),
    );
    level = level.flatMap(({ hash, keys }) => {
      const node = nodes.get(hash);
      if (node === undefined) return [];
      if ('entries' in node) {
        for (const entry of node.entries) if (idSet.has(entry.id)) entries.set(entry.id, entry);
        return [];
      }
      return [...Map.groupBy(keys, (key) => digitAt(key, depth))].flatMap(([digit, below]) => {
        const child = node.children[digit];
        return child ? [{ hash: child.hash, keys: below }] : [];
      });
    });
  }
  return entries;
}

/** Number of entries in the manifest. Only loads its root. */
export async function countEntries<Entry extends ManifestEntry>(
  rootHash: string | null,
  source: ManifestSource<Entry>,
): Promise<number> {
  const [node] = (await fetchNodes(source, rootHash === null ? [] : [rootHash])).values();
  if (node === undefined) return 0;
  if ('entries' in node) return node.entries.length;
  return node.children.reduce((sum, child) => sum + (child?.count ?? 0), 0);
}

/** Sorted by UTF-16 code units, which for ids is the order of the collation "C". */
export const sortById = <Entry extends ManifestEntry>(entries: Iterable<Entry>): Entry[] =>
  [...entries].sort((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)));

function childHashes<Entry extends ManifestEntry>(node: ManifestNode<Entry>): string[] {
  return 'entries' in node ? [] : node.children.flatMap((child) => child?.hash ?? []);
}
