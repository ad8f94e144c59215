import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../../src/lib/canonical.ts';
import type { Conflict } from '../../../src/lib/merge/conflict.ts';
import { mergeVersions } from '../../../src/lib/merge/merge-versions.ts';
import type { ThreeWay } from '../../../src/lib/merge/three-way.ts';
import { openTree } from '../../../src/lib/tree/edit.ts';
import { lawRuns } from '../../how-thorough.ts';
import type { Model, ModelPage } from '../tree/model.ts';
import { author, type Built, build, scripts } from '../tree/scripts.ts';
import {
  type ContentStore,
  linesOf,
  makeContentStore,
  mergeWith,
  neverConflicts,
  onlyPages,
  placedIn,
  treeOf,
} from './merging.ts';

interface Story {
  store: ContentStore;
  base: Built;
  ours: Built;
  theirs: Built;
}

/** Two trees made from one by independent authors. */
const stories = fc
  .record({ first: scripts(40), ours: scripts(12), theirs: scripts(12) })
  .map(({ first, ours, theirs }) => async (): Promise<Story> => {
    const store = makeContentStore();
    for (const name of ['d1', 'd2']) store.documents.nodes.set(name, linesOf([[name, `text of ${name}`]]));
    const base = await build(first);
    const us = await build(ours, base, undefined, 'o');
    const them = await build(theirs, base, undefined, 't');
    for (const [hash, node] of base.store.nodes) store.nodes.nodes.set(hash, node);
    return { store, base, ours: us, theirs: them };
  });

const law = (name: string, check: (story: Story) => Promise<void>, cases = 250) =>
  test(name, async () => {
    await fc.assert(
      fc.asyncProperty(stories, async (makeStory) => check(await makeStory())),
      { numRuns: lawRuns(cases) },
    );
  });

const versionsOf = (base: Built, ours: Built, theirs: Built): ThreeWay<ReturnType<typeof onlyPages>> => ({
  base: onlyPages(base.rootHash),
  ours: onlyPages(ours.rootHash),
  theirs: onlyPages(theirs.rootHash),
});

/** The tree with a new last page at the top level. */
async function withSentinel(store: ContentStore, rootHash: string): Promise<string> {
  const tree = await openTree(rootHash, store.nodes.source);
  await tree.insertPage({ kind: 'document', pageId: 'sentinel', fields: { title: 'Sentinel' }, parentId: null });
  const commit = tree.commit(author);
  store.nodes.add(commit.newNodes);
  return commit.rootHash;
}

const without = ({ pages }: Model, pageId: string): Model => ({
  pages: pages.filter((page) => page.pageId !== pageId),
});

const slugless = ({ pages, fields: { slug, ...fields }, ...page }: ModelPage) => ({ ...page, fields });

/** The content of a tree, without order and suffixes of slugs. */
const essence = (store: ContentStore, model: Model): string[] =>
  [...placedIn(model).values()]
    .map(({ page, parentId }) => {
      const { documentHash, ...others } = slugless(page);
      const blocks = store.documents.nodes.get(documentHash ?? '')?.nodes.map(({ key }) => key);
      return canonicalJson({ parentId, ...others, blocks: blocks?.sort() });
    })
    .sort();

const choiceFor = ({ id }: Conflict) => ({
  choice: (['ours', 'theirs', 'base'] as const)[Number.parseInt(id.slice(0, 6), 16) % 3] ?? 'ours',
});

law('changes of only one side are the result', async ({ store, base, ours }) => {
  const theirs = onlyPages(await withSentinel(store, base.rootHash));
  for (const versions of [
    { base: onlyPages(base.rootHash), ours: onlyPages(ours.rootHash), theirs },
    { base: onlyPages(base.rootHash), ours: theirs, theirs: onlyPages(ours.rootHash) },
  ]) {
    const { content } = await mergeWith(store, versions, neverConflicts);
    expect(without(await treeOf(store, content.rootHash), 'sentinel')).toEqual(ours.model);
  }
});

law('equal changes of both sides are the result', async ({ store, base, ours }) => {
  const theirs = onlyPages(await withSentinel(store, ours.rootHash));
  const versions = { base: onlyPages(base.rootHash), ours: onlyPages(ours.rootHash), theirs };
  const { content } = await mergeWith(store, versions, neverConflicts);
  if (ours.rootHash !== base.rootHash) expect(content.rootHash).toBe(theirs.rootHash);
});

law('swapping the sides swaps the sides of the conflicts, and gives the same but for order', async (story) => {
  const { store, base, ours, theirs } = story;
  const there = await mergeVersions(versionsOf(base, ours, theirs), store.sources);
  const back = await mergeVersions(versionsOf(base, theirs, ours), store.sources);
  const conflictsOf = (outcome: typeof there) => ('conflicts' in outcome ? outcome.conflicts : []);
  const told = ({ id: _, ...conflict }: Conflict) => canonicalJson(conflict);
  const swapped = conflictsOf(back).map((conflict) => ({ ...conflict, ours: conflict.theirs, theirs: conflict.ours }));
  expect(swapped.map(told).sort()).toEqual(conflictsOf(there).map(told).sort());
  if ('conflicts' in there || 'conflicts' in back) return;
  store.keep(there.merged);
  store.keep(back.merged);
  const [one, other] = [await treeOf(store, there.merged.rootHash), await treeOf(store, back.merged.rootHash)];
  expect(essence(store, one)).toEqual(essence(store, other));
});

law('the result is a tree whose pages and fields somebody wrote', async ({ store, base, ours, theirs }) => {
  const { content } = await mergeWith(store, versionsOf(base, ours, theirs), choiceFor);
  const merged = await treeOf(store, content.rootHash);
  const sources = [base, ours, theirs].map(({ model }) => placedIn(model));
  const pages = placedIn(merged);
  for (const [pageId, { page }] of pages) {
    const written = sources.flatMap((source) => source.get(pageId)?.page ?? []);
    expect(written.length).toBeGreaterThan(0);
    for (const [name, value] of Object.entries(slugless(page).fields)) {
      expect(written.map(({ fields }) => canonicalJson(Object.entries(fields)))).toEqual(
        expect.arrayContaining([expect.stringContaining(canonicalJson([name, value]))]),
      );
    }
  }
  const families = [merged, ...[...pages.values()].map(({ page }) => page)];
  for (const family of families) {
    const slugs = family.pages.flatMap(({ fields }) => fields.slug ?? []);
    expect(new Set(slugs).size).toBe(slugs.length);
    if ('kind' in family && family.pages.length > 0) expect(['document', 'group']).toContain(family.kind);
  }
  for (const { page, parentId } of pages.values()) if (page.kind === 'group') expect(parentId).toBeNull();
});

law('every page that a side inserted is there, or a conflict was resolved against it', async (story) => {
  const { store, base, ours, theirs } = story;
  const { content, conflicts } = await mergeWith(store, versionsOf(base, ours, theirs), choiceFor);
  const merged = placedIn(await treeOf(store, content.rootHash));
  const known = placedIn(base.model);
  const named = new Set(conflicts.flatMap(({ target, pages }) => [target.id ?? '', ...pages]));
  for (const side of [ours, theirs]) {
    const placed = placedIn(side.model);
    for (const pageId of placed.keys()) {
      if (known.has(pageId) || merged.has(pageId)) continue;
      const line: string[] = [];
      for (let at: string | null = pageId; at !== null; at = placed.get(at)?.parentId ?? null) line.push(at);
      expect(line.some((each) => named.has(each))).toBe(true);
    }
  }
});

law('a field that one side changed has its value, and a page that one side moved its place', async (story) => {
  const { store, base, ours, theirs } = story;
  const outcome = await mergeVersions(versionsOf(base, ours, theirs), store.sources);
  if ('conflicts' in outcome) return;
  store.keep(outcome.merged);
  const merged = placedIn(await treeOf(store, outcome.merged.rootHash));
  const [before, us, them] = [placedIn(base.model), placedIn(ours.model), placedIn(theirs.model)];
  for (const [pageId, { page, parentId }] of merged) {
    const [was, our, their] = [before.get(pageId), us.get(pageId), them.get(pageId)];
    for (const side of [our, their]) {
      if (!was || !side) continue;
      if (side.page.fields.title !== was.page.fields.title) expect(page.fields.title).toBe(side.page.fields.title);
      if (side.page.fields.hidden !== was.page.fields.hidden) expect(page.fields.hidden).toBe(side.page.fields.hidden);
      if (side.parentId !== was.parentId) expect(parentId).toBe(side.parentId);
    }
  }
});

law('resolved conflicts do not come back', async ({ store, base, ours, theirs }) => {
  const { content } = await mergeWith(store, versionsOf(base, ours, theirs), choiceFor);
  const main = onlyPages(await withSentinel(store, theirs.rootHash));
  const versions = { base: onlyPages(theirs.rootHash), ours: content, theirs: main };
  const { content: next } = await mergeWith(store, versions, neverConflicts);
  expect(without(await treeOf(store, next.rootHash), 'sentinel')).toEqual(await treeOf(store, content.rootHash));
});
