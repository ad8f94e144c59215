import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../../src/lib/canonical.ts';
import type { Conflict } from '../../../src/lib/merge/conflict.ts';
import { type ContentVersion, mergeVersions } from '../../../src/lib/merge/merge-versions.ts';
import type { Side, ThreeWay } from '../../../src/lib/merge/three-way.ts';
import { build, scripts } from '../tree/scripts.ts';
import { type ContentStore, linesOf, makeContentStore, mergeWith, onlyPages, placedIn, treeOf } from './merging.ts';

const stories = fc.record({ first: scripts(40), ours: scripts(12), theirs: scripts(12) });

/** Two versions made from one by independent authors. */
async function versionsIn(
  store: ContentStore,
  { first, ours, theirs }: Record<'first' | 'ours' | 'theirs', Parameters<typeof build>[0]>,
) {
  for (const name of ['d1', 'd2']) store.documents.nodes.set(name, linesOf([[name, `text of ${name}`]]));
  const base = await build(first);
  const us = await build(ours, base, undefined, 'o');
  const them = await build(theirs, base, undefined, 't');
  for (const [hash, node] of base.store.nodes) store.nodes.nodes.set(hash, node);
  return { base: onlyPages(base.rootHash), ours: onlyPages(us.rootHash), theirs: onlyPages(them.rootHash) };
}

const subjectOf = ({ target, field, block }: Conflict) => canonicalJson([target.id, field, block]);

test('with the base for conflicts, each side keeps its own pages in the next merge, where the conflicts are found again', async () => {
  const check = async (story: Parameters<typeof versionsIn>[1]) => {
    const store = makeContentStore();
    const versions = await versionsIn(store, story);
    const found = await mergeVersions(versions, store.sources);
    if (!('conflicts' in found)) return;
    const taking = async (three: ThreeWay<ContentVersion>, choice: Side) =>
      (await mergeWith(store, three, () => ({ choice }))).content;
    const three = {
      base: await taking(versions, 'base'),
      ours: await taking(versions, 'ours'),
      theirs: await taking(versions, 'theirs'),
    };
    const next = await mergeVersions(three, store.sources);
    const again = new Set('conflicts' in next ? next.conflicts.map(subjectOf) : []);
    if (!found.conflicts.every((conflict) => again.has(subjectOf(conflict)))) return;
    for (const choice of ['ours', 'theirs'] as const) {
      const pagesOf = async ({ rootHash }: ContentVersion) =>
        [...placedIn(await treeOf(store, rootHash)).keys()].sort();
      expect(await pagesOf(await taking(three, choice))).toEqual(await pagesOf(three[choice]));
    }
  };
  await fc.assert(fc.asyncProperty(stories, check), { numRuns: 400 });
});
