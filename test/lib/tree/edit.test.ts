import { beforeEach, expect, test } from 'vitest';
import { openTree, type TreeEditor } from '../../../src/lib/tree/edit.ts';
import type { TreeErrorCode } from '../../../src/lib/tree/error.ts';
import type { NewNode } from '../../../src/lib/tree/node.ts';
import { makeTreeStore } from './store.ts';

const early = { now: '2026-01-01T00:00:00.000Z', userId: 'user_a' };
const late = { now: '2026-02-02T00:00:00.000Z', userId: 'user_b' };

const isLate = ({ updatedAt, updatedBy }: NewNode) => updatedAt === late.now && updatedBy === late.userId;
const idsOf = (nodes: NewNode[]) => nodes.map((node) => (node.kind === 'root' ? 'root' : node.pageId)).sort();

let editor: TreeEditor;
let newNodes: NewNode[];

const document = (pageId: string, parentId: string | null = null, title = pageId) =>
  editor.insertPage({ kind: 'document', pageId, fields: { title }, parentId });

/** A guide with two pages in a group, and a link and a computed page at the top. */
beforeEach(async () => {
  const store = makeTreeStore();
  editor = await openTree(null, store.source);
  await editor.insertPage({ kind: 'group', pageId: 'group', fields: { title: 'Group' }, parentId: null });
  await document('guide', 'group');
  await document('a', 'guide');
  await document('b', 'guide');
  const target = { kind: 'url', url: 'https://example.com' };
  await editor.insertPage({ kind: 'link', pageId: 'link', fields: { title: 'Link', target }, parentId: null });
  const computed = { type: 'builtin:openapi', props: {} };
  await editor.insertPage({ kind: 'computed', pageId: 'api', fields: { title: 'Api', computed }, parentId: null });
  const first = editor.commit(early);
  store.add(first.newNodes);
  editor = await openTree(first.rootHash, store.source);
});

const commit = () => {
  newNodes = editor.commit(late).newNodes;
  return newNodes;
};

const find = (pageId: string) => newNodes.find((node) => node.kind !== 'root' && node.pageId === pageId);

test('an empty tree has one node, the root', async () => {
  const empty = await openTree(null, makeTreeStore().source);
  const { rootHash, newNodes } = empty.commit(early);
  expect(newNodes).toMatchObject([{ kind: 'root', children: [], hash: rootHash, createdAt: early.now }]);
});

test('an edited page gets a new time and author, and its ancestors keep theirs', async () => {
  await editor.updatePage('a', {}, 'd1');
  expect(idsOf(commit())).toEqual(['a', 'group', 'guide', 'root']);
  expect(idsOf(newNodes.filter(isLate))).toEqual(['a']);
  expect(find('a')).toMatchObject({ createdAt: early.now, documentHash: 'd1' });
  expect(newNodes.at(-1)?.kind).toBe('root');
});

test('a moved page keeps its time, also when its new siblings make it take another slug', async () => {
  await editor.insertPage({ kind: 'document', pageId: 'a2', fields: { title: 'A' }, parentId: null });
  const moved = await editor.movePage('a', null);
  expect(moved).toMatchObject({ parentId: null, position: 4, fields: { slug: 'a-2' } });
  expect(idsOf(commit().filter(isLate))).toEqual(['a', 'a2']);
  await editor.movePage('b', 'group', { at: 0 });
  expect(idsOf(commit().filter(isLate))).toEqual(['a', 'a2']);
});

test('a page that is changed back is not written', async () => {
  await editor.updatePage('a', { title: 'Other' });
  await editor.updatePage('a', { title: 'a' });
  expect(commit()).toEqual([]);
});

test('a deleted page is gone with its descendants, and can be inserted again', async () => {
  expect(await editor.deletePage('guide')).toEqual(['guide', 'a', 'b']);
  expect(await editor.locate(['guide', 'a', 'group'])).toHaveProperty('size', 1);
  await document('a', 'group');
  expect(idsOf(commit())).toEqual(['group', 'root']);
});

test('documents, groups and computed pages share the slugs of one parent, links have none', async () => {
  const target = { kind: 'url', url: 'https://example.com' };
  const link = await editor.insertPage({ kind: 'link', pageId: 'l', fields: { title: 'Api', target }, parentId: null });
  expect(link.fields).not.toHaveProperty('slug');
  expect((await document('x', null, 'Api')).fields).toMatchObject({ slug: 'api-2' });
  const group = { kind: 'group', pageId: 'g', fields: { title: 'X', slug: 'api' }, parentId: null } as const;
  expect((await editor.insertPage(group)).fields).toMatchObject({ slug: 'api-3' });
  expect((await document('y', 'g', 'Api')).fields).toMatchObject({ slug: 'api' });
  expect((await editor.updatePage('g', { slug: 'api-2' })).fields).toMatchObject({ slug: 'api-2-2' });
});

test('a slug stays when the title changes, and is derived again when it is removed', async () => {
  expect((await editor.updatePage('a', { title: 'New name' })).fields).toMatchObject({ slug: 'a', title: 'New name' });
  expect((await editor.updatePage('a', { slug: null })).fields).toMatchObject({ slug: 'new-name' });
  expect((await editor.updatePage('a', { slug: 'V1.2_Beta' })).fields).toMatchObject({ slug: 'V1.2_Beta' });
});

test('a given slug is kept, normalized to NFC', async () => {
  expect((await editor.updatePage('a', { slug: 'Cafe\u0301' })).fields).toMatchObject({ slug: 'Caf\u00e9' });
});

test('fields that are undefined leave no trace', async () => {
  const target = { kind: 'url', url: 'https://example.com' };
  const fields = { title: 'L', target, emoji: undefined, slug: undefined };
  const link = await editor.insertPage({ kind: 'link', pageId: 'l', fields, parentId: null });
  expect(link.fields).toStrictEqual({ title: 'L', target });
});

test('empty fields count as absent', async () => {
  await editor.updatePage(
    'a',
    { hidden: false, description: '', tags: [], variables: {}, cover: null, layout: undefined },
    null,
  );
  expect(commit()).toEqual([]);
});

test('null removes a field, and a body', async () => {
  await editor.updatePage('a', { emoji: '1f4d4', description: 'Text' }, 'd1');
  const { fields, documentHash } = await editor.updatePage('a', { emoji: null }, null);
  expect(fields).toEqual({ title: 'a', slug: 'a', description: 'Text' });
  expect(documentHash).toBeUndefined();
});

test('pages have the given positions', async () => {
  await editor.insertPage({
    kind: 'document',
    pageId: 'c',
    fields: { title: 'c' },
    parentId: 'guide',
    position: { beforeId: 'b' },
  });
  await editor.insertPage({
    kind: 'document',
    pageId: 'd',
    fields: { title: 'd' },
    parentId: 'guide',
    position: { afterId: 'b' },
  });
  await editor.movePage('a', 'guide', { at: 2 });
  const pages = await editor.locate(['a', 'b', 'c', 'd', 'none']);
  expect([...pages].map(([pageId, { position }]) => [pageId, position])).toEqual([
    ['a', 2],
    ['b', 1],
    ['c', 0],
    ['d', 3],
  ]);
});

const apiErrors: [TreeErrorCode, RegExp, () => Promise<unknown>][] = [
  ['UNKNOWN_PAGE', /"none"/, () => editor.updatePage('none', {})],
  ['UNKNOWN_PAGE', /"none"/, () => editor.movePage('none', null)],
  ['UNKNOWN_PAGE', /"none"/, () => editor.deletePage('none')],
  ['UNKNOWN_PAGE', /"none"/, () => document('c', 'none')],
  ['BAD_PARENT', /"link" is a link page/, () => document('c', 'link')],
  ['BAD_PARENT', /"api" is a computed page/, () => editor.movePage('a', 'api')],
  ['BAD_PARENT', /top level/, () => editor.movePage('group', 'guide')],
  ['BAD_POSITION', /"a"/, () => editor.movePage('b', 'group', { beforeId: 'a' })],
  ['BAD_POSITION', /"a"/, () => editor.movePage('a', 'guide', { afterId: 'a' })],
  ['BAD_POSITION', /"none"/, () => editor.movePage('a', 'guide', { afterId: 'none' })],
  ['CYCLE', /"guide"/, () => editor.movePage('guide', 'a')],
  ['CYCLE', /"guide"/, () => editor.movePage('guide', 'guide')],
  ['DUPLICATE_PAGE', /"b"/, () => document('b')],
  ['BAD_FIELD', /group page has no field "description"/, () => editor.updatePage('group', { description: 'x' })],
  ['BAD_FIELD', /link page has no field "slug"/, () => editor.updatePage('link', { slug: 'x' })],
  ['BAD_FIELD', /requires the field "title"/, () => editor.updatePage('a', { title: null })],
  ['BAD_FIELD', /requires the field "target"/, () => editor.updatePage('link', { target: null })],
  ['BAD_FIELD', /no document/, () => editor.updatePage('group', {}, 'd1')],
  ['BAD_SLUG', /"x\/y"/, () => editor.updatePage('a', { slug: 'x/y' })],
  ['BAD_SLUG', /"\.\."/, () => editor.updatePage('a', { slug: '..' })],
];

test.each(apiErrors)('refuses with %s, saying %s, and changes nothing', async (code, message, edit) => {
  await expect(edit()).rejects.toMatchObject({ name: 'TreeError', code, message: expect.stringMatching(message) });
  expect(commit()).toEqual([]);
});

test('a parent has at most 1,000 children, and a full one can still be put in order', async () => {
  for (let index = 2; index < 1000; index++) await document(`p${index}`, 'guide', 'Page');
  await expect(document('c', 'guide')).rejects.toMatchObject({ code: 'TOO_MANY_CHILDREN' });
  await expect(editor.movePage('link', 'guide')).rejects.toMatchObject({ code: 'TOO_MANY_CHILDREN' });
  expect(await editor.movePage('a', 'guide')).toMatchObject({ position: 999 });
});

test('a tree is at most 32 levels deep', async () => {
  const names = Array.from({ length: 31 }, (_, index) => `level${index + 2}`);
  let parent = 'group';
  for (const name of names) parent = (await document(name, parent)).pageId;
  await expect(document('c', 'level32')).rejects.toMatchObject({ code: 'TOO_DEEP' });
  await expect(editor.movePage('guide', 'level31')).rejects.toMatchObject({ code: 'TOO_DEEP' });
  expect(await editor.movePage('guide', 'level30')).toMatchObject({ parentId: 'level30' });
});

test('a deep subtree can move up or sideways, but not below the depth limit', async () => {
  await document('level1');
  for (let level = 2; level <= 32; level++) await document(`level${level}`, `level${level - 1}`);
  await expect(editor.movePage('level2', 'guide')).rejects.toMatchObject({ code: 'TOO_DEEP' });
  expect(await editor.movePage('level2', 'group')).toMatchObject({ parentId: 'group' });
  expect(await editor.movePage('level2', null)).toMatchObject({ parentId: null });
  expect(await editor.movePage('level2', 'level1')).toMatchObject({ parentId: 'level1' });
});
