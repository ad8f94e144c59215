import { expect, test } from 'vitest';
import { world } from '../../world.ts';

const { admin, editor, organizationId, app } = await world();
const { db } = app.services;

/**
 * Creates a space with pages, given by the titles of their parents: `{ a: null, b: 'a' }`. Returns the ids by title.
 */
async function spaceWith(pages: Record<string, string | null>) {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Paths', empty: true }, 'space { id }');
  const spaceId: string = space.id;
  const changes = Object.entries(pages).map(([title, parentId]) => ({ insertPage: { title, ref: title, parentId } }));
  const { pageIds } = await admin.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds');
  const ids = Object.fromEntries(Object.keys(pages).map((title, index) => [title, pageIds[index] as string]));
  return { spaceId, ids };
}

const edit = (spaceId: string, ...changes: unknown[]) =>
  admin.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds');

const rename = (pageId: string | undefined, slug: string) => ({ updatePage: { pageId, slug } });
const move = (pageId: string | undefined, parentId: string | null | undefined) => ({ movePage: { pageId, parentId } });

/** The page that both REST and the graph find at a path. */
async function pageAt(spaceId: string, path: string): Promise<string | undefined> {
  const query = 'query($id: ID!, $path: String!) { space(id: $id) { revision { page(path: $path) { pageId path } } } }';
  const { space } = await admin.graphql(query, { id: spaceId, path });
  const { status, body } = await admin.get(`/v1/spaces/${spaceId}/content/path/${encodeURIComponent(path)}`);
  expect([status, body.id, body.path]).toEqual(
    space.revision.page ? [200, space.revision.page.pageId, space.revision.page.path] : [404, undefined, undefined],
  );
  return space.revision.page?.pageId;
}

const rowsOf = async (spaceId: string) =>
  (await db.selectFrom('old_slug').where('spaceId', '=', spaceId).selectAll().execute()).length;

test('a renamed page is found by its old path, like all pages below it, at the cost of one row', async () => {
  const { spaceId, ids } = await spaceWith({ a: null, b: 'a', c: 'b', d: 'b' });
  await edit(spaceId, rename(ids.a, 'new'));
  expect(await rowsOf(spaceId)).toBe(1);
  expect(await pageAt(spaceId, 'a')).toBe(ids.a);
  expect(await pageAt(spaceId, 'a/b/c')).toBe(ids.c);
  expect(await pageAt(spaceId, 'new/b/c')).toBe(ids.c);
  await edit(spaceId, rename(ids.b, 'inner'));
  for (const path of ['a/b/d', 'a/inner/d', 'new/b/d', 'new/inner/d']) expect(await pageAt(spaceId, path)).toBe(ids.d);
  expect(await rowsOf(spaceId)).toBe(2);
});

test('a moved page is found at its old place, even if its old parent was deleted', async () => {
  const { spaceId, ids } = await spaceWith({ a: null, b: 'a', c: 'b', z: null });
  await edit(spaceId, move(ids.b, ids.z));
  expect(await pageAt(spaceId, 'a/b/c')).toBe(ids.c);
  await edit(spaceId, { deletePage: { pageId: ids.a } });
  expect(await pageAt(spaceId, 'a/b/c')).toBe(ids.c);
  expect(await pageAt(spaceId, 'a')).toBeUndefined();
});

test('the page that has the path now takes precedence, and pages below the other one are still found', async () => {
  const { spaceId, ids } = await spaceWith({ a: null, b: 'a' });
  await edit(spaceId, rename(ids.a, 'older'));
  const { pageIds } = await edit(spaceId, { insertPage: { title: 'a' } });
  expect(await pageAt(spaceId, 'a')).toBe(pageIds[0]);
  expect(await pageAt(spaceId, 'a/b')).toBe(ids.b);
  await edit(spaceId, rename(pageIds[0], 'newer'));
  expect(await pageAt(spaceId, 'a')).toBe(pageIds[0]);
});

test('a page that was renamed back is at its path, and nothing leads to a deleted page', async () => {
  const { spaceId, ids } = await spaceWith({ a: null });
  await edit(spaceId, rename(ids.a, 'b'));
  await edit(spaceId, rename(ids.a, 'a'));
  expect(await pageAt(spaceId, 'a')).toBe(ids.a);
  expect(await pageAt(spaceId, 'b')).toBe(ids.a);
  await edit(spaceId, { deletePage: { pageId: ids.a } });
  expect([await pageAt(spaceId, 'a'), await pageAt(spaceId, 'b')]).toEqual([undefined, undefined]);
});

test('other spaces, copies and other paths are not affected', async () => {
  const { spaceId, ids } = await spaceWith({ a: null });
  const other = await spaceWith({ z: null });
  await edit(spaceId, rename(ids.a, 'b'));
  const copy = await admin.post(`/v1/spaces/${spaceId}/duplicate`);
  expect(await pageAt(other.spaceId, 'a')).toBeUndefined();
  expect(await pageAt(copy.body.id, 'a')).toBeUndefined();
  expect(await pageAt(copy.body.id, 'b')).toBe(ids.a);
  for (const path of ['a/a', 'A', 'a%', `${'a/'.repeat(40)}a`]) expect(await pageAt(spaceId, path)).toBeUndefined();
});

test('a page that a change request renamed is found by its path in the space', async () => {
  const { spaceId, ids } = await spaceWith({ a: null, b: 'a' });
  await edit(spaceId, rename(ids.a, 'main'));
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  const input = { changeRequestId: changeRequest.id, changes: [rename(ids.a, 'proposed')] };
  await editor.mutate('updateChangeRequestContent', input, 'changeRequest { id }');
  const query =
    'query($id: ID!, $path: String!) { changeRequest(id: $id) { revision { page(path: $path) { path } } } }';
  for (const path of ['proposed/b', 'main/b', 'a/b']) {
    const data = await editor.graphql(query, { id: changeRequest.id, path });
    expect(data).toEqual({ changeRequest: { revision: { page: { path: 'proposed/b' } } } });
  }
  expect(await pageAt(spaceId, 'proposed/b')).toBeUndefined();
});

test('an earlier revision has its own paths', async () => {
  const { spaceId, ids } = await spaceWith({ a: null });
  const { body } = await admin.get(`/v1/spaces/${spaceId}/content`);
  await edit(spaceId, rename(ids.a, 'b'));
  const at = async (path: string) =>
    (await admin.get(`/v1/spaces/${spaceId}/revisions/${body.id}/path/${path}`)).status;
  expect([await at('a'), await at('b')]).toEqual([200, 404]);
});
