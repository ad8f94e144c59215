import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Conflict, Resolution } from '../../../src/lib/merge/conflict.ts';
import { mergeVersions } from '../../../src/lib/merge/merge-versions.ts';
import { openTree } from '../../../src/lib/tree/edit.ts';
import { readManifest } from '../../../src/lib/tree/manifest.ts';
import { lawRuns } from '../../how-thorough.ts';
import { author } from '../tree/scripts.ts';
import { type ContentStore, linesOf, makeContentStore, mergeWith, neverConflicts } from './merging.ts';

interface Entry {
  id: string;
  name: string;
  blob: string;
  size: number;
  documentHash?: string;
}

const edit = fc.record({
  edit: fc.constantFrom('put', 'put', 'rename', 'replace', 'write', 'remove'),
  at: fc.nat(150),
  to: fc.nat(5),
});

/** Edits a set of entries. The ids of new entries contain their author. */
function edited(entries: Entry[], edits: { edit: string; at: number; to: number }[], author: string): Entry[] {
  const result = new Map(entries.map((entry) => [entry.id, entry]));
  edits.forEach((each, index) => {
    const ids = [...result.keys()];
    const found = result.get(ids[each.at % Math.max(ids.length, 1)] ?? '');
    if (each.edit === 'put' || !found) {
      const id = `file_${author}${index}`;
      result.set(id, { id, name: id, blob: `${author}${index}`, size: index });
    } else if (each.edit === 'rename') result.set(found.id, { ...found, name: `${author} ${each.to}` });
    else if (each.edit === 'replace') result.set(found.id, { ...found, blob: `blob ${each.to}`, size: each.to });
    else if (each.edit === 'write') result.set(found.id, { ...found, documentHash: `d${each.to}` });
    else result.delete(found.id);
  });
  return [...result.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

const stories = fc.record({
  base: fc.array(edit, { maxLength: 120, size: 'max' }),
  ours: fc.array(edit, { maxLength: 10 }),
  theirs: fc.array(edit, { maxLength: 10 }),
});

async function tell({ base, ours, theirs }: { base: Entry[]; ours: Entry[]; theirs: Entry[] }) {
  const store = makeContentStore();
  for (const name of ['d0', 'd1', 'd2', 'd3', 'd4', 'd5']) store.documents.nodes.set(name, linesOf([[name, name]]));
  const { rootHash, newNodes } = (await openTree(null, store.nodes.source)).commit(author);
  store.nodes.add(newNodes);
  const version = async (entries: Entry[]) => ({
    rootHash,
    filesHash: await store.keepEntries(entries),
    reusableContentsHash: null,
    variablesHash: null,
    tagsHash: null,
  });
  return { store, versions: { base: await version(base), ours: await version(ours), theirs: await version(theirs) } };
}

const entriesAt = (store: ContentStore, hash: string | null) =>
  readManifest(hash, store.manifests.source) as Promise<Entry[]>; // what was put there

type Told = Awaited<ReturnType<typeof tell>> & { base: Entry[]; ours: Entry[]; theirs: Entry[] };

const law = (name: string, check: (told: Told) => Promise<void>, cases = 250) =>
  test(name, async () => {
    await fc.assert(
      fc.asyncProperty(stories, async (story) => {
        const base = edited([], story.base, 'b');
        const sides = { base, ours: edited(base, story.ours, 'o'), theirs: edited(base, story.theirs, 't') };
        await check({ ...sides, ...(await tell(sides)) });
      }),
      { numRuns: lawRuns(cases) },
    );
  });

const choiceFor = ({ id }: Conflict): Resolution => ({
  choice: (['ours', 'theirs', 'base'] as const)[Number.parseInt(id.slice(0, 6), 16) % 3] ?? 'ours',
});

law('changes of only one side are the result, entry by entry', async ({ base, ours }) => {
  const sentinel: Entry = { id: 'file_zz', name: 'sentinel', blob: 'z', size: 1 };
  for (const sides of [
    { base, ours, theirs: [...base, sentinel] },
    { base, ours: [...base, sentinel], theirs: ours },
  ]) {
    const { store, versions } = await tell(sides);
    const { content } = await mergeWith(store, versions, neverConflicts);
    expect(await entriesAt(store, content.filesHash)).toEqual([...ours, sentinel]);
  }
});

law('swapping the sides swaps the sides of the conflicts, and gives the same', async ({ store, versions }) => {
  const there = await mergeVersions(versions, store.sources);
  const back = await mergeVersions({ ...versions, ours: versions.theirs, theirs: versions.ours }, store.sources);
  const told = (outcome: typeof there) => ('conflicts' in outcome ? outcome.conflicts : []);
  const swapped = told(back).map(({ id: _, ...rest }) => ({ ...rest, ours: rest.theirs, theirs: rest.ours }));
  const plain = told(there).map(({ id: _, ...rest }) => rest);
  const byText = (list: unknown[]) =>
    list.map((each) => JSON.stringify(each, Object.keys(plain[0] ?? {}).sort())).sort();
  expect(byText(swapped)).toEqual(byText(plain));
  if ('conflicts' in there || 'conflicts' in back) return;
  for (const { merged } of [there, back]) store.keep(merged);
  const shown = async (hash: string | null) =>
    (await entriesAt(store, hash)).map(({ documentHash, ...entry }) => ({
      ...entry,
      blocks: store.documents.nodes
        .get(documentHash ?? '')
        ?.nodes.map(({ key }) => key)
        .sort(),
    }));
  expect(await shown(there.merged.filesHash)).toEqual(await shown(back.merged.filesHash));
});

law('every entry of the result comes from a version, and none is lost without a deletion or choice', async (told) => {
  const { store, versions, base, ours, theirs } = told;
  const { content, conflicts } = await mergeWith(store, versions, choiceFor);
  const merged = new Map((await entriesAt(store, content.filesHash)).map((entry) => [entry.id, entry]));
  const by = [base, ours, theirs].map((entries) => new Map(entries.map((entry) => [entry.id, entry])));
  for (const [id, { name, blob, size }] of merged) {
    const written = by.flatMap((entries) => entries.get(id) ?? []);
    expect(written.map((entry) => entry.name)).toContain(name);
    // The content of a file and its size are merged as one field.
    expect(written.map((entry) => `${entry.blob} ${entry.size}`)).toContain(`${blob} ${size}`);
  }
  const named = new Set(conflicts.map(({ target }) => target.id));
  for (const entries of [by[1], by[2]]) {
    for (const id of entries?.keys() ?? []) {
      if (!by[0]?.has(id) && !named.has(id)) expect(merged.has(id)).toBe(true);
    }
  }
});

law('resolved conflicts do not come back', async ({ store, versions, theirs }) => {
  const { content } = await mergeWith(store, versions, choiceFor);
  const sentinel: Entry = { id: 'file_zz', name: 'sentinel', blob: 'z', size: 1 };
  const main = { ...versions.theirs, filesHash: await store.keepEntries([...theirs, sentinel]) };
  const next = await mergeWith(store, { base: versions.theirs, ours: content, theirs: main }, neverConflicts);
  expect(await entriesAt(store, next.content.filesHash)).toEqual([
    ...(await entriesAt(store, content.filesHash)),
    sentinel,
  ]);
});
