import {
  digitAt,
  LEAF_SIZE,
  type ManifestChild,
  type ManifestEntry,
  type ManifestNode,
  type ManifestSource,
  manifestHash,
  sortById,
  trieKey,
} from './manifest.ts';
import { fetchNodes, nodeIn } from './source.ts';

export interface ManifestEdit<Entry> {
  /** Entries to add or replace, by id. The last one of an id wins. */
  put?: readonly Entry[];
  /** Ids of entries to remove before `put`. Unknown ids are ignored. */
  remove?: readonly string[];
}

export type NewManifestNode<Entry extends ManifestEntry> = ManifestNode<Entry> & { hash: string };

export interface ManifestCommit<Entry extends ManifestEntry> {
  /** Null if no entry is left. */
  rootHash: string | null;
  /** Number of entries, if the edit has added more than it has removed. */
  grownTo?: number | undefined;
  /** The nodes to store, children before parents, without nodes that were loaded. */
  newNodes: NewManifestNode<Entry>[];
}

/**
 * Edits a set of entries. Only loads and writes the nodes on the paths to the edited entries, and what a leaf merges
 * with.
 */
export async function editManifest<Entry extends ManifestEntry>(
  rootHash: string | null,
  source: ManifestSource<Entry>,
  { put = [], remove = [] }: ManifestEdit<Entry>,
): Promise<ManifestCommit<Entry>> {
  const root: Part<Entry> = rootHash === null ? { entries: new Map() } : { hash: rootHash, count: 0 };
  const ids = [...remove, ...put.map(({ id }) => id)];
  const loaded = new Set<string>();
  await openPaths(root, ids.map(trieKey), source, loaded);
  const before = countOf(root);
  for (const id of remove) setEntry(root, trieKey(id), id, null);
  for (const entry of put) setEntry(root, trieKey(entry.id), entry.id, entry);
  const after = countOf(root);
  await openParts(mergingParts(root), source, loaded);
  return { ...seal(root, loaded), grownTo: after > before ? after : undefined };
}

/** A working copy of a node. Unopened, it has its hash; opened, it has its entries or its 16 children. */
interface Part<Entry> {
  hash?: string;
  count?: number;
  entries?: Map<string, Entry>;
  children?: (Part<Entry> | null)[];
}

async function openParts<Entry extends ManifestEntry>(
  parts: readonly Part<Entry>[],
  source: ManifestSource<Entry>,
  loaded: Set<string>,
): Promise<void> {
  const closed = parts.flatMap((part) =>
    isClosed(part) && part.hash !== undefined ? [{ part, hash: part.hash }] : [],
  );
  const nodes = await fetchNodes(
    source,
    closed.map(({ hash }) => hash),
  );
  for (const { part, hash } of closed) {
    const node = nodeIn(nodes, hash);
    loaded.add(hash);
    if ('entries' in node) part.entries = new Map(node.entries.map((entry) => [entry.id, entry]));
    else part.children = node.children.map((child) => child && { ...child });
  }
}

async function openPaths<Entry extends ManifestEntry>(
  root: Part<Entry>,
  keys: readonly string[],
  source: ManifestSource<Entry>,
  loaded: Set<string>,
): Promise<void> {
  let level = [{ part: root, keys }];
  for (let depth = 0; level.length > 0; depth++) {
    await openParts(
      level.map(({ part }) => part),
      source,
      loaded,
    );
    level = level.flatMap(({ part, keys: below }) => {
      return [...Map.groupBy(below, (key) => digitAt(key, depth))].flatMap(([digit, group]) => {
        const child = part.children?.[digit];
        return child ? [{ part: child, keys: group }] : [];
      });
    });
  }
}

function setEntry<Entry extends ManifestEntry>(root: Part<Entry>, key: string, id: string, entry: Entry | null): void {
  let part = root;
  for (let depth = 0; part.children; depth++) {
    const digit = digitAt(key, depth);
    const child: Part<Entry> = part.children[digit] ?? { entries: new Map() };
    part.children[digit] = child;
    part = child;
  }
  if (entry) part.entries?.set(id, entry);
  else part.entries?.delete(id);
}

const isClosed = <Entry>({ entries, children }: Part<Entry>): boolean => !entries && !children;

function countOf<Entry>({ entries, children, count }: Part<Entry>): number {
  if (entries) return entries.size;
  return children ? children.reduce((sum, child) => sum + (child ? countOf(child) : 0), 0) : (count ?? 0);
}

/** Unopened nodes below branches that have too few entries left. They are leaves, since they are even smaller. */
function mergingParts<Entry>(part: Part<Entry>): Part<Entry>[] {
  const children = part.children?.filter((child) => child !== null) ?? [];
  if (countOf(part) > LEAF_SIZE) return children.flatMap(mergingParts);
  return children.flatMap((child) => (isClosed(child) ? [child] : mergingParts(child)));
}

function seal<Entry extends ManifestEntry>(root: Part<Entry>, loaded: ReadonlySet<string>): ManifestCommit<Entry> {
  const newNodes = new Map<string, NewManifestNode<Entry>>();
  const write = (node: ManifestNode<Entry>, count: number): ManifestChild => {
    const hash = manifestHash(node);
    if (!loaded.has(hash)) newNodes.set(hash, { ...node, hash });
    return { hash, count };
  };
  const writeEntries = (entries: readonly Entry[], depth: number): ManifestChild | null => {
    if (entries.length === 0) return null;
    if (entries.length <= LEAF_SIZE) return write({ entries: sortById(entries) }, entries.length);
    const byDigit = Map.groupBy(entries, ({ id }) => digitAt(trieKey(id), depth));
    const children = Array.from({ length: 16 }, (_, digit) => writeEntries(byDigit.get(digit) ?? [], depth + 1));
    return write({ children }, entries.length);
  };
  const writePart = (part: Part<Entry>, depth: number): ManifestChild | null => {
    if (isClosed(part)) return part.hash === undefined ? null : { hash: part.hash, count: part.count ?? 0 };
    const count = countOf(part);
    if (part.entries || count <= LEAF_SIZE) return writeEntries(entriesIn(part), depth);
    const children = (part.children ?? []).map((child) => child && writePart(child, depth + 1));
    return write({ children }, count);
  };
  return { rootHash: writePart(root, 0)?.hash ?? null, newNodes: [...newNodes.values()] };
}

const entriesIn = <Entry>({ entries, children }: Part<Entry>): Entry[] =>
  entries ? [...entries.values()] : (children ?? []).flatMap((child) => (child ? entriesIn(child) : []));
