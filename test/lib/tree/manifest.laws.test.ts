import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  countEntries,
  getEntries,
  type ManifestNode,
  manifestHash,
  readManifest,
  trieKey,
} from '../../../src/lib/tree/manifest.ts';
import { diffManifests } from '../../../src/lib/tree/manifest-diff.ts';
import { editManifest } from '../../../src/lib/tree/manifest-edit.ts';
import { lawRuns } from '../../how-thorough.ts';
import { makeStore, type Store } from './store.ts';

interface Entry {
  id: string;
  value: number;
}

type Edit = { put: Entry[]; remove: string[] };

const name = (number: number) => `file_${number}`;

/** Edits around the sizes at which leaves split and merge. */
const edits: fc.Arbitrary<Edit[]> = fc.array(
  fc.record({
    put: fc
      .record({ from: fc.nat(300), count: fc.nat(200), value: fc.nat(2) })
      .map(({ from, count, value }) =>
        Array.from({ length: count }, (_, index) => ({ id: name(from + index), value })),
      ),
    remove: fc
      .record({ from: fc.nat(300), count: fc.nat(250) })
      .map(({ from, count }) => Array.from({ length: count }, (_, index) => name(from + index))),
  }),
  { maxLength: 5, size: 'max' },
);

interface Built {
  rootHash: string | null;
  set: Map<string, Entry>;
}

async function run(store: Store<ManifestNode<Entry>>, steps: Edit[]): Promise<Built> {
  const built: Built = { rootHash: null, set: new Map() };
  for (const { put, remove } of steps) {
    const { rootHash, newNodes } = await editManifest(built.rootHash, store.source, { put, remove });
    expect(newNodes.filter(({ hash }) => built.rootHash === hash)).toEqual([]);
    store.add(newNodes);
    built.rootHash = rootHash;
    for (const id of remove) built.set.delete(id);
    for (const entry of put) built.set.set(entry.id, entry);
  }
  return built;
}

const sorted = (entries: Iterable<Entry>) => [...entries].sort((a, b) => (a.id < b.id ? -1 : 1));

const law = (name: string, check: (store: Store<ManifestNode<Entry>>, a: Built, b: Built) => Promise<void>) =>
  test(name, async () => {
    await fc.assert(
      fc.asyncProperty(edits, edits, async (first, second) => {
        const store = makeStore<ManifestNode<Entry>>();
        await check(store, await run(store, first), await run(store, second));
      }),
      { numRuns: lawRuns(30) },
    );
  });

law('a manifest holds the set that its edits made', async ({ source }, { rootHash, set }) => {
  expect(await readManifest(rootHash, source)).toEqual(sorted(set.values()));
  expect(await countEntries(rootHash, source)).toBe(set.size);
});

law('equal sets have equal roots, whatever their history', async ({ source }, { rootHash, set }) => {
  const atOnce = await editManifest(null, source, { put: [...set.values()].reverse() });
  expect(atOnce.rootHash).toBe(rootHash);
  if (set.size === 0) expect(rootHash).toBeNull();
});

law('entries are found by id, alone and together', async ({ source }, { rootHash, set }) => {
  const ids = [...set.keys(), 'none'];
  expect(await getEntries(rootHash, source, ids)).toEqual(set);
  expect(await getEntries(rootHash, source, ['none'])).toEqual(new Map());
});

law('a difference turns one set into the other, and names nothing equal', async ({ source }, a, b) => {
  const { inserted, changed, removed } = await diffManifests(a.rootHash, b.rootHash, source);
  expect(inserted).toEqual(sorted([...b.set.values()].filter(({ id }) => !a.set.has(id))));
  expect(removed).toEqual(sorted([...a.set.values()].filter(({ id }) => !b.set.has(id))));
  const differs = ({ id, value }: Entry) => a.set.has(id) && a.set.get(id)?.value !== value;
  expect(changed.map(({ after }) => after)).toEqual(sorted([...b.set.values()].filter(differs)));
  expect(changed.map(({ before }) => before)).toEqual(changed.map(({ after }) => a.set.get(after.id)));
  expect(await diffManifests(a.rootHash, a.rootHash, source)).toEqual({ inserted: [], changed: [], removed: [] });
});

law('every node is stored under its hash, and no leaf is larger than 64', async ({ nodes }) => {
  for (const [hash, { hash: _, ...node }] of nodes as Map<string, ManifestNode<Entry> & { hash: string }>) {
    expect(manifestHash(node as ManifestNode<Entry>)).toBe(hash);
    if ('entries' in node) expect((node.entries as Entry[]).length).toBeLessThanOrEqual(64);
  }
});

test('a leaf is compared with a branch that lacks some of its digits', async () => {
  const store = makeStore<ManifestNode<Entry>>();
  const entries = Array.from({ length: 200 }, (_, index) => ({ id: name(index), value: 0 }));
  const few = entries.filter(({ id }) => trieKey(id).startsWith('f'));
  const many = entries.filter(({ id }) => !trieKey(id).startsWith('f'));
  const a = await editManifest(null, store.source, { put: few });
  const b = await editManifest(null, store.source, { put: many });
  store.add([...a.newNodes, ...b.newNodes]);
  const forwards = await diffManifests(a.rootHash, b.rootHash, store.source);
  expect(forwards).toEqual({ inserted: sorted(many), changed: [], removed: sorted(few) });
  const backwards = await diffManifests(b.rootHash, a.rootHash, store.source);
  expect(backwards).toEqual({ inserted: sorted(few), changed: [], removed: sorted(many) });
});

test('a leaf holds 64 entries, and splits at 65', async () => {
  const { source } = makeStore<ManifestNode<Entry>>();
  const put = Array.from({ length: 65 }, (_, index) => ({ id: name(index), value: 0 }));
  const full = await editManifest(null, source, { put: put.slice(0, 64) });
  expect(full.newNodes).toMatchObject([{ entries: sorted(put.slice(0, 64)) }]);
  const { newNodes } = await editManifest(null, source, { put });
  const children = newNodes
    .slice(0, -1)
    .map(({ hash, ...node }) => ({ hash, count: 'entries' in node && node.entries.length }));
  expect(newNodes.at(-1)).toMatchObject({ children: expect.arrayContaining(children) });
});

test('an edit of one of 10,000 entries loads and writes the nodes on the way to it', async () => {
  const store = makeStore<ManifestNode<Entry>>();
  const put = Array.from({ length: 10_000 }, (_, index) => ({ id: name(index), value: 0 }));
  const base = await editManifest(null, store.source, { put });
  store.add(base.newNodes);
  for (const edit of [
    { put: [{ id: name(5), value: 1 }] },
    { put: [{ id: 'new', value: 1 }] },
    { remove: [name(5)] },
  ]) {
    store.resetCounts();
    const { newNodes } = await editManifest(base.rootHash, store.source, edit);
    expect(store).toMatchObject({ calls: 3, loaded: 3 });
    expect(newNodes.length).toBe(3);
  }
});

test('putting an equal entry, or removing an absent one, writes nothing', async () => {
  const store = makeStore<ManifestNode<Entry>>();
  const put = Array.from({ length: 500 }, (_, index) => ({ id: name(index), value: 0 }));
  const { rootHash, newNodes } = await editManifest(null, store.source, { put });
  store.add(newNodes);
  expect(await editManifest(rootHash, store.source, { put: put.slice(3, 9) })).toEqual({ rootHash, newNodes: [] });
  expect(await editManifest(rootHash, store.source, { remove: ['none'] })).toEqual({ rootHash, newNodes: [] });
});
