import { expect, test } from 'vitest';
import { mergeVersions } from '../../../src/lib/merge/merge-versions.ts';
import { openTree, type TreeEditor } from '../../../src/lib/tree/edit.ts';
import { author } from '../tree/scripts.ts';
import { linesOf, makeContentStore, onlyPages } from './merging.ts';

/** A space with this many pages, ten below each. */
async function spaceOf(count: number) {
  const store = makeContentStore();
  const documentHash = store.keepDocument(
    linesOf([
      ['a', 'One'],
      ['b', 'Two'],
      ['c', 'Three'],
    ]),
  );
  const written = async (from: string | null, edit: (tree: TreeEditor) => Promise<unknown>): Promise<string> => {
    const tree = await openTree(from, store.nodes.source);
    await edit(tree);
    const { rootHash, newNodes } = tree.commit(author);
    store.nodes.add(newNodes);
    return rootHash;
  };
  const root = await written(null, async (tree) => {
    for (let each = 0; each < count; each++) {
      const parentId = each < 10 ? null : `page_${Math.floor(each / 10) - 1}`;
      const fields = { title: `Page ${each}` };
      await tree.insertPage({ kind: 'document', pageId: `page_${each}`, fields, documentHash, parentId });
    }
  });
  return { store, root, written };
}

test.each([200, 2000])(
  'merging two pages out of %i loads and writes no more than their ways to the top',
  async (count) => {
    const { store, root, written } = await spaceOf(count);
    const [a, b] = [`page_${count - 1}`, `page_${count - 20}`];
    const ours = await written(root, (tree) => tree.updatePage(a, {}, store.keepDocument(linesOf([['a', 'Ours']]))));
    const theirs = await written(root, (tree) => tree.updatePage(b, { title: 'Theirs' }));
    for (const each of [store.nodes, store.documents]) each.resetCounts();
    const outcome = await mergeVersions(
      { base: onlyPages(root), ours: onlyPages(ours), theirs: onlyPages(theirs) },
      store.sources,
    );
    expect('merged' in outcome && outcome.merged.newNodes.length).toBeLessThanOrEqual(5);
    // Four levels of three trees.
    expect(store.nodes.loaded).toBeLessThanOrEqual(30);
    expect(store.nodes.calls).toBeLessThanOrEqual(12);
    expect(store.documents.loaded).toBe(0);
  },
);

test('only bodies that both sides changed are loaded', async () => {
  const { store, root, written } = await spaceOf(200);
  const document = (...lines: [string, string][]) => store.keepDocument(linesOf(lines));
  const ours = await written(root, async (tree) => {
    await tree.updatePage('page_1', {}, document(['a', 'One!'], ['b', 'Two'], ['c', 'Three']));
    await tree.updatePage('page_2', {}, document(['a', 'Ours']));
  });
  const theirs = await written(root, async (tree) => {
    await tree.updatePage('page_1', {}, document(['a', 'One'], ['b', 'Two'], ['c', 'Three!']));
    await tree.updatePage('page_3', {}, document(['a', 'Theirs']));
  });
  store.documents.resetCounts();
  const versions = { base: onlyPages(root), ours: onlyPages(ours), theirs: onlyPages(theirs) };
  const outcome = await mergeVersions(versions, store.sources);
  expect([store.documents.calls, store.documents.loaded]).toEqual([1, 3]);
  expect('merged' in outcome && outcome.merged.documents).toHaveLength(1);
});
