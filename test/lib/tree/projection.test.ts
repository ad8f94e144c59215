import { beforeEach, expect, test } from 'vitest';
import { diffTrees } from '../../../src/lib/tree/diff.ts';
import { openTree, type TreeEditor } from '../../../src/lib/tree/edit.ts';
import { projectChanges, projectOwnChanges } from '../../../src/lib/tree/projection.ts';
import { author } from './scripts.ts';
import { makeTreeStore, type TreeStore } from './store.ts';
import { projectTree } from './whole-tree.ts';

let store: TreeStore;
let rootHash: string;

/** A chain a/b/c/d/e with a link at its end, and two pages beside it. */
beforeEach(async () => {
  store = makeTreeStore();
  const editor = await openTree(null, store.source);
  const document = (pageId: string, parentId: string | null) =>
    editor.insertPage({ kind: 'document', pageId, fields: { title: pageId.toUpperCase() }, parentId });
  await document('a', null);
  for (const [index, pageId] of ['b', 'c', 'd', 'e'].entries())
    await document(pageId, ['a', 'b', 'c', 'd'][index] ?? '');
  const target = { kind: 'page', page: 'a' };
  await editor.insertPage({
    kind: 'link',
    pageId: 'link',
    fields: { title: 'Link', target, hidden: true },
    parentId: 'e',
  });
  await document('x', null);
  await document('y', null);
  const commit = editor.commit(author);
  store.add(commit.newNodes);
  rootHash = commit.rootHash;
});

/** Adds a page with children to the base. */
async function addFamily(parentId: string, pageIds: string[]) {
  const editor = await openTree(rootHash, store.source);
  await editor.insertPage({ kind: 'document', pageId: parentId, fields: { title: parentId }, parentId: null });
  for (const pageId of pageIds)
    await editor.insertPage({ kind: 'document', pageId, fields: { title: pageId }, parentId });
  const commit = editor.commit(author);
  store.add(commit.newNodes);
  rootHash = commit.rootHash;
}

async function changesOf(edit: (editor: TreeEditor) => Promise<unknown>) {
  const editor = await openTree(rootHash, store.source);
  await edit(editor);
  const commit = editor.commit(author);
  store.add(commit.newNodes);
  const difference = await diffTrees(rootHash, commit.rootHash, store.source);
  const { upserts, deletes } = await projectChanges(difference, store.source);
  const own = await projectOwnChanges(difference, store.source);
  return { paths: Object.fromEntries(upserts.map(({ pageId, path }) => [pageId, path])), upserts, deletes, own };
}

test('a row has a page and its position', async () => {
  const rows = await projectTree(rootHash, store.source);
  expect(rows.map(({ pageId }) => pageId)).toEqual(['a', 'x', 'y', 'b', 'c', 'd', 'e', 'link']);
  expect(rows.at(6)).toEqual({
    pageId: 'e',
    parentId: 'd',
    position: 0,
    path: 'a/b/c/d/e',
    title: 'E',
    kind: 'document',
    hidden: false,
    documentHash: null,
    nodeHash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(rows.at(7)).toMatchObject({ kind: 'link', path: null, hidden: true });
});

test('a new slug changes the paths of all descendants, except links', async () => {
  const { paths } = await changesOf((editor) => editor.updatePage('a', { slug: 'z' }));
  expect(paths).toEqual({ a: 'z', b: 'z/b', c: 'z/b/c', d: 'z/b/c/d', e: 'z/b/c/d/e' });
});

test('the own changes of a rename are one row, and name the topmost page with a new path', async () => {
  const { own } = await changesOf(async (editor) => {
    await editor.updatePage('a', { slug: 'z' });
    await editor.updatePage('c', { slug: 'w' });
  });
  expect(own.upserts.map(({ pageId, path }) => [pageId, path]).sort()).toEqual([
    ['a', 'z'],
    ['b', 'z/b'],
    ['c', 'z/b/w'],
  ]);
  expect(own.newPaths).toEqual(['a']);
});

test('a move changes the paths below it, and the positions of the siblings that close up', async () => {
  const { paths, upserts } = await changesOf((editor) => editor.movePage('a', 'x'));
  const moved = { a: 'x/a', b: 'x/a/b', c: 'x/a/b/c', d: 'x/a/b/c/d', e: 'x/a/b/c/d/e' };
  expect(paths).toEqual({ x: 'x', y: 'y', ...moved });
  expect(upserts.find(({ pageId }) => pageId === 'y')).toMatchObject({ position: 1 });
});

test('a new body changes the rows of the page and its ancestors', async () => {
  const { upserts } = await changesOf((editor) => editor.updatePage('b', {}, 'd1'));
  expect(upserts.map(({ pageId, documentHash }) => [pageId, documentHash]).sort()).toEqual([
    ['a', null],
    ['b', 'd1'],
  ]);
});

test('a page between two that change places gets a row when the path above it is new, and else none', async () => {
  await addFamily('p', ['l', 'm', 'n']);
  const turn = async (editor: TreeEditor) => {
    await editor.movePage('n', 'p', { at: 0 });
    await editor.movePage('l', 'p');
  };
  expect(Object.keys((await changesOf(turn)).paths).sort()).toEqual(['l', 'n', 'p']);
  const renamed = await changesOf(async (editor) => {
    await turn(editor);
    await editor.updatePage('p', { slug: 'q' });
  });
  expect(renamed.paths).toEqual({ p: 'q', l: 'q/l', m: 'q/m', n: 'q/n' });
});

test('deleting a page deletes the rows of its descendants', async () => {
  const { paths, deletes } = await changesOf((editor) => editor.deletePage('c'));
  expect(paths).toEqual({ a: 'a', b: 'a/b' });
  expect(deletes.sort()).toEqual(['c', 'd', 'e', 'link']);
});

test('moving a child to a parent with the same path only changes its own row', async () => {
  const { paths, deletes } = await changesOf(async (editor) => {
    await editor.movePage('b', null);
    await editor.deletePage('a');
    await editor.insertPage({
      kind: 'document',
      pageId: 'a2',
      fields: { title: 'A' },
      parentId: null,
      position: { at: 0 },
    });
    await editor.movePage('b', 'a2');
  });
  expect(paths).toEqual({ a2: 'a', b: 'a/b' });
  expect(deletes).toEqual(['a']);
});
