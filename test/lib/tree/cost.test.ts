import { beforeAll, expect, test } from 'vitest';
import { diffTrees } from '../../../src/lib/tree/diff.ts';
import { openTree, type TreeEditor } from '../../../src/lib/tree/edit.ts';
import { overlayPaths, type PathLookup } from '../../../src/lib/tree/paths.ts';
import { projectChanges, projectOwnChanges } from '../../../src/lib/tree/projection.ts';
import type { HeadRow } from '../../../src/lib/tree/rows.ts';
import { idAt, makeLargeTree } from './large.ts';
import { author } from './scripts.ts';
import { pathLookup, projectTree } from './whole-tree.ts';

const { store, rootHash } = makeLargeTree();
let rows: HeadRow[];
let lookup: PathLookup;

beforeAll(async () => {
  rows = await projectTree(rootHash, store.source);
  lookup = pathLookup(rows);
});

const leaf = idAt(0, 7, 250);
const SIBLINGS = 500;

/** What one edit, the difference that it makes and the change of the projection ask for and write. */
async function costOf(edit: (editor: TreeEditor) => Promise<unknown>) {
  store.resetCounts();
  const editor = await openTree(rootHash, store.source, lookup);
  await edit(editor);
  const commit = editor.commit(author);
  const editing = { calls: store.calls, loaded: store.loaded, written: commit.newNodes.length };
  store.add(commit.newNodes);
  store.resetCounts();
  const changes = await projectChanges(await diffTrees(rootHash, commit.rootHash, store.source), store.source);
  const projecting = {
    calls: store.calls,
    loaded: store.loaded,
    rows: changes.upserts.length + changes.deletes.length,
  };
  store.resetCounts();
  const own = await projectOwnChanges(await diffTrees(rootHash, commit.rootHash, store.source), store.source);
  const projectingHead = { calls: store.calls, loaded: store.loaded, rows: own.upserts.length + own.deletes.length };
  return { editing, projecting, projectingHead, changes, rootHash: commit.rootHash };
}

test('the tree has 10,000 pages, three levels deep', () => {
  expect(rows.length).toBe(10_000);
  expect(rows.find(({ pageId }) => pageId === leaf)).toMatchObject({ path: 'page-0/page-7/page-250' });
});

test('changing a body loads and writes the path, and changes its rows', async () => {
  const { editing, projecting } = await costOf((editor) => editor.updatePage(leaf, { title: 'New' }, 'd1'));
  expect(editing).toEqual({ calls: 2, loaded: 4, written: 4 });
  expect(projecting).toEqual({ calls: 4, loaded: 8, rows: 3 });
});

test('reordering a page or deleting a leaf writes its path', async () => {
  const order = await costOf((editor) => editor.movePage(leaf, idAt(0, 7), { afterId: idAt(0, 7, 251) }));
  expect(order.editing).toEqual({ calls: 2, loaded: 5, written: 3 });
  expect(order.projecting.rows).toBe(4);
  const deletion = await costOf((editor) => editor.deletePage(leaf));
  expect(deletion.editing).toEqual({ calls: 2, loaded: 4, written: 3 });
});

test('a new slug loads its siblings besides, in one go', async () => {
  const { editing, projecting } = await costOf((editor) => editor.updatePage(leaf, { slug: 'new' }));
  expect(editing).toEqual({ calls: 3, loaded: 3 + SIBLINGS, written: 4 });
  expect(projecting.rows).toBe(3);
});

test('a new page loads its path and siblings, and writes its path', async () => {
  const fields = { title: 'New' };
  const insertion = await costOf((editor) =>
    editor.insertPage({ kind: 'document', pageId: 'new', fields, parentId: idAt(0, 7) }),
  );
  expect(insertion.editing).toEqual({ calls: 3, loaded: 3 + SIBLINGS, written: 4 });
  expect(insertion.projecting).toMatchObject({ rows: 3 });
});

test('a page that moves to another parent loads both paths and its new siblings', async () => {
  const { editing, projecting } = await costOf((editor) => editor.movePage(leaf, idAt(3)));
  expect(editing).toEqual({ calls: 3, loaded: 5 + SIBLINGS, written: 5 });
  // Its slug is taken there, so it is written too, beside four parents.
  // The page, the three whose children changed, and the siblings that it leaves behind it, which move up.
  expect(projecting.rows).toBe(1 + 3 + 249);
});

test('a new slug of a parent changes the rows below it and writes none of them', async () => {
  const { editing, projecting, projectingHead } = await costOf((editor) =>
    editor.updatePage(idAt(0, 7), { slug: 'new' }),
  );
  expect(editing).toEqual({ calls: 3, loaded: 2 + SIBLINGS, written: 3 });
  expect(projecting).toMatchObject({ loaded: 6 + SIBLINGS, rows: 2 + SIBLINGS });
  expect(projectingHead).toMatchObject({ loaded: 6, rows: 2 });
});

test('many edits load their paths together', async () => {
  const pageIds = Array.from({ length: 50 }, (_, index) => idAt(0, 7, index));
  const { editing } = await costOf(async (editor) => {
    await editor.locate(pageIds);
    for (const pageId of pageIds) await editor.updatePage(pageId, { title: 'New' });
  });
  expect(editing).toEqual({ calls: 2, loaded: 53, written: 53 });
});

test('a page that was deleted is not looked for again', async () => {
  const { editing } = await costOf(async (editor) => {
    await editor.deletePage(leaf);
    expect(await editor.locate([leaf])).toEqual(new Map());
  });
  expect(editing).toMatchObject({ calls: 2, loaded: 4 });
});

test('an edit after another finds pages by paths overlaid on the base', async () => {
  const first = await costOf((editor) => editor.updatePage(idAt(0, 7, 3), { title: 'New' }));
  store.resetCounts();
  const editor = await openTree(first.rootHash, store.source, overlayPaths(lookup, first.changes));
  await editor.updatePage(leaf, { title: 'New' });
  expect(store).toMatchObject({ calls: 2, loaded: 4 });
});

test('stale paths are detected, for one more load per level', async () => {
  const first = await costOf((editor) => editor.updatePage(idAt(0, 7, 3), { title: 'New' }));
  store.resetCounts();
  const editor = await openTree(first.rootHash, store.source, lookup);
  await editor.updatePage(leaf, { title: 'New' });
  expect(store).toMatchObject({ calls: 4, loaded: 6 });
});
