import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openTree } from '../../../src/lib/tree/edit.ts';
import { readManifest } from '../../../src/lib/tree/manifest.ts';
import { lawRuns } from '../../how-thorough.ts';
import { author } from '../tree/scripts.ts';
import { makeContentStore, mergeWith, neverConflicts, onlyPages } from './merging.ts';

/** Labels of tags by slug. */
type Tags = Record<string, string>;

const slugs = Array.from({ length: 100 }, (_, index) => `tag-${index}`);
const tags = fc.dictionary(fc.constantFrom(...slugs), fc.constantFrom('one', 'two', 'three'), { maxKeys: 100 });

/** Edits of tags: labels by slug; null removes the tag. */
const edits = fc.dictionary(fc.constantFrom(...slugs), fc.constantFrom('one', 'two', 'three', null), { maxKeys: 12 });

const edited = (base: Tags, changes: Record<string, string | null>): Tags =>
  Object.fromEntries(
    Object.entries({ ...base, ...changes }).flatMap(([slug, label]) => (label ? [[slug, label]] : [])),
  );

async function merged({ base, ours, theirs }: { base: Tags; ours: Tags; theirs: Tags }): Promise<Tags> {
  const store = makeContentStore();
  const { rootHash, newNodes } = (await openTree(null, store.nodes.source)).commit(author);
  store.nodes.add(newNodes);
  const version = async (labels: Tags) => {
    const entries = Object.entries(labels).map(([id, label], position) => ({ id, label, position }));
    return { ...onlyPages(rootHash), tagsHash: await store.keepEntries(entries) };
  };
  const versions = { base: await version(base), ours: await version(ours), theirs: await version(theirs) };
  const { content } = await mergeWith(store, versions, neverConflicts);
  const entries = await readManifest(content.tagsHash, store.manifests.source);
  return Object.fromEntries((entries as { id: string; label: string }[]).map(({ id, label }) => [id, label]));
}

test('tags that both sides added are all there', async () => {
  const sides = { base: {}, ours: { beta: 'Beta' }, theirs: { legacy: 'Legacy' } };
  expect(await merged(sides)).toEqual({ beta: 'Beta', legacy: 'Legacy' });
});

test('each tag is that of the primary content if it was changed there, and otherwise that of the change request', async () => {
  await fc.assert(
    fc.asyncProperty(tags, edits, edits, async (base, ourEdits, theirEdits) => {
      const ours = edited(base, ourEdits);
      const theirs = edited(base, theirEdits);
      const expected = slugs.flatMap((slug) => {
        const label = theirs[slug] === base[slug] ? ours[slug] : theirs[slug];
        return label === undefined ? [] : [[slug, label]];
      });
      expect(await merged({ base, ours, theirs })).toEqual(Object.fromEntries(expected));
    }),
    { numRuns: lawRuns(200) },
  );
});
