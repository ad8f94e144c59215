import { canonicalJson } from '../canonical.ts';
import { digitAt, type ManifestEntry, type ManifestNode, type ManifestSource, sortById, trieKey } from './manifest.ts';
import { fetchNodes, nodeIn } from './source.ts';

/** The difference between two sets of entries, each list sorted by id. */
export interface ManifestDifference<Entry> {
  inserted: Entry[];
  changed: { before: Entry; after: Entry }[];
  removed: Entry[];
}

/** The difference between two manifests. Equal nodes are not loaded. Uses one load per level that differs. */
export async function diffManifests<Entry extends ManifestEntry>(
  base: string | null,
  other: string | null,
  source: ManifestSource<Entry>,
): Promise<ManifestDifference<Entry>> {
  const before = new Map<string, Entry>();
  const after = new Map<string, Entry>();
  let level: Pair<Entry>[] = [{ base: sideAt(base), other: sideAt(other) }];
  for (let depth = 0; level.length > 0; depth++) {
    const open = level.filter((pair) => hashIn(pair.base) === null || hashIn(pair.base) !== hashIn(pair.other));
    const nodes = await fetchNodes(
      source,
      open.flatMap((pair) => [hashIn(pair.base) ?? [], hashIn(pair.other) ?? []].flat()),
    );
    level = open.flatMap((pair) => {
      const left = opened(pair.base, nodes);
      const right = opened(pair.other, nodes);
      if ('children' in left || 'children' in right) return split(left, right, depth);
      for (const entry of left.entries) before.set(entry.id, entry);
      for (const entry of right.entries) after.set(entry.id, entry);
      return [];
    });
  }
  return compare(before, after);
}

/** The part of a manifest under a prefix: a stored node, or the entries of a leaf that is compared with a branch. */
type Side<Entry> = { hash: string } | { entries: Entry[] };

interface Pair<Entry> {
  base: Side<Entry>;
  other: Side<Entry>;
}

const sideAt = <Entry>(hash: string | null | undefined): Side<Entry> => (hash ? { hash } : { entries: [] });

const hashIn = <Entry>(side: Side<Entry>): string | null => ('hash' in side ? side.hash : null);

const opened = <Entry extends ManifestEntry>(side: Side<Entry>, nodes: Map<string, ManifestNode<Entry>>) =>
  'hash' in side ? nodeIn(nodes, side.hash) : side;

function split<Entry extends ManifestEntry>(
  left: ManifestNode<Entry>,
  right: ManifestNode<Entry>,
  depth: number,
): Pair<Entry>[] {
  const bases = sidesOf(left, depth);
  const others = sidesOf(right, depth);
  return bases.map((base, digit) => ({ base, other: others[digit] ?? { entries: [] } }));
}

function sidesOf<Entry extends ManifestEntry>(node: ManifestNode<Entry>, depth: number): Side<Entry>[] {
  if ('children' in node) return node.children.map((child) => sideAt(child?.hash));
  const byDigit = Map.groupBy(node.entries, ({ id }) => digitAt(trieKey(id), depth));
  return Array.from({ length: 16 }, (_, digit) => ({ entries: byDigit.get(digit) ?? [] }));
}

function compare<Entry extends ManifestEntry>(
  before: ReadonlyMap<string, Entry>,
  after: ReadonlyMap<string, Entry>,
): ManifestDifference<Entry> {
  const changed = sortById(after.values()).flatMap((entry) => {
    const old = before.get(entry.id);
    return old && canonicalJson(old) !== canonicalJson(entry) ? [{ before: old, after: entry }] : [];
  });
  return {
    inserted: sortById([...after.values()].filter(({ id }) => !before.has(id))),
    changed,
    removed: sortById([...before.values()].filter(({ id }) => !after.has(id))),
  };
}
