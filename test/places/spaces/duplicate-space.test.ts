import { expect, test } from 'vitest';
import { contentOf } from '../../people/access/content.ts';
import { expectShape } from '../../shapes.ts';
import { world } from '../../world.ts';

const { app, organizationId, grant, ...people } = await world();
const { admin, creator, editor, reader, guest, outsider, anonymous } = people;
const { db } = app.services;
const content = contentOf(db, organizationId);

async function made(given: Record<string, unknown> = {}): Promise<string> {
  const { space } = await admin.mutate('createSpace', { organizationId, ...given }, 'space { id }');
  return space.id;
}

const titlesIn = async (collectionId: string) =>
  (await admin.get(`/v1/collections/${collectionId}/spaces`)).body.items.map(({ title }: { title: string }) => title);

test('a duplicate is placed after its source, with its appearance and content, and the caller as admin', async () => {
  const parentId = await content.collection();
  const spaceId = await made({ parentId, title: 'Guide', emoji: '1f600', language: 'DE', editMode: 'LOCKED' });
  await made({ parentId, title: 'Next' });
  await admin.patch(`/v1/spaces/${spaceId}`, { mergeRules: { type: 'none' }, defaultLevel: 'edit' });
  await grant(spaceId, guest.userId, 'edit');
  const { status, body, headers } = await creator.post(`/v1/spaces/${spaceId}/duplicate`);
  expect(status).toBe(201);
  expectShape('duplicateSpace', 201, body);
  expect(headers.get('location')).toBe(body.urls.location);
  expect(body).toMatchObject({
    title: 'Guide (copy)',
    emoji: '1f600',
    language: 'de',
    editMode: 'locked',
    mergeRules: { type: 'none' },
    parent: parentId,
    defaultLevel: 'edit',
    changeRequests: 0,
    permissions: { admin: true },
  });
  expect(await titlesIn(parentId)).toEqual(['Guide', 'Guide (copy)', 'Next']);
  expect((await guest.get(`/v1/spaces/${body.id}`)).status).toBe(404);

  const source = (await admin.get(`/v1/spaces/${spaceId}`)).body;
  expect(body.revision).not.toBe(source.revision);
  const roots = await db
    .selectFrom('revision')
    .where('id', 'in', [body.revision, source.revision])
    .select('rootHash')
    .execute();
  expect(roots[0]?.rootHash).toEqual(roots[1]?.rootHash);
  const pagesOf = (id: string) =>
    db.selectFrom('head_page').where('spaceId', '=', id).select(['pageId', 'title', 'nodeHash']).execute();
  expect(await pagesOf(body.id)).toEqual(await pagesOf(spaceId));
  expect(await pagesOf(spaceId)).toHaveLength(1);
});

test('duplicates of duplicates are placed after their sources', async () => {
  const parentId = await content.collection();
  const spaceId = await made({ parentId, title: 'A' });
  await made({ parentId, title: 'Z' });
  for (let count = 0; count < 3; count++) await admin.mutate('duplicateSpace', { spaceId }, 'space { id }');
  const { space } = await admin.mutate('duplicateSpace', { spaceId }, 'space { id title permissions { admin } }');
  await admin.mutate('duplicateSpace', { spaceId: space.id }, 'space { id }');
  expect(await titlesIn(parentId)).toEqual([
    'A',
    'A (copy)',
    'A (copy) (copy)',
    'A (copy)',
    'A (copy)',
    'A (copy)',
    'Z',
  ]);
});

test.each([
  ['😀'.repeat(43), `${'😀'.repeat(43)} (copy)`],
  ['😀'.repeat(50), `${'😀'.repeat(43)} (copy)`],
])('the title %s is cut to fifty characters with the ending', async (title, expected) => {
  const spaceId = await made({ title });
  const { space } = await admin.mutate('duplicateSpace', { spaceId }, 'space { title }');
  expect(space.title).toBe(expected);
});

test('requires view access and the creator role at its position', async () => {
  const [top, hidden] = [await made(), await made()];
  await admin.patch(`/v1/spaces/${hidden}`, { defaultLevel: null });
  const closed = await content.collection({ role: 'none' });
  const inClosed = await made({ parentId: closed });
  await grant(inClosed, editor.userId, 'admin');
  const cases = [
    [anonymous, top, 401],
    [outsider, top, 404],
    [creator, hidden, 404],
    [editor, top, 403],
    [editor, inClosed, 403],
    [creator, top, 201],
  ] as const;
  for (const [client, spaceId, status] of cases) {
    expect((await client.post(`/v1/spaces/${spaceId}/duplicate`)).status).toBe(status);
  }
  await expect(reader.mutate('duplicateSpace', { spaceId: top }, 'space { id }')).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
});

test('view access through a published site is not enough', async () => {
  const spaceId = await made();
  await content.site({ spaces: [spaceId], isPublished: true, visibility: 'public' });
  expect((await outsider.post(`/v1/spaces/${spaceId}/duplicate`)).status).toBe(403);
  expect((await guest.post(`/v1/spaces/${spaceId}/duplicate`)).status).toBe(403);
});

test('view access through a published site is not enough for those who can create spaces either', async () => {
  const spaceId = await made();
  await admin.patch(`/v1/spaces/${spaceId}`, { defaultLevel: null });
  await content.site({ spaces: [spaceId], isPublished: true, visibility: 'public' });
  expect((await creator.get(`/v1/spaces/${spaceId}`)).status).toBe(200);
  expect((await creator.post(`/v1/spaces/${spaceId}/duplicate`)).status).toBe(403);
});

test('a guest can duplicate within a collection where they can create', async () => {
  const parentId = await content.collection();
  const spaceId = await made({ parentId, title: 'Shared' });
  await grant(parentId, guest.userId, 'create');
  expect((await guest.post(`/v1/spaces/${spaceId}/duplicate`)).status).toBe(201);
  expect(await titlesIn(parentId)).toEqual(['Shared', 'Shared (copy)']);
});

test('a duplicate of a space that inherits its level from sites has the level of these sites', async () => {
  for (const [levels, status] of [
    [['none'], 404],
    [['none', null], 404],
    [['none', 'read'], 200],
    [[null], 200],
    [['edit'], 200],
  ] as const) {
    const spaceId = await made();
    for (const role of levels) await content.site({ spaces: [spaceId], ...(role && { role }) });
    const { status: answer, body } = await admin.post(`/v1/spaces/${spaceId}/duplicate`);
    expect(answer).toBe(201);
    const statuses = [spaceId, body.id].map(async (id) => (await reader.get(`/v1/spaces/${id}`)).status);
    expect([levels, await Promise.all(statuses)]).toEqual([levels, [status, status]]);
    const canEdit = [spaceId, body.id].map(async (id) => (await reader.get(`/v1/spaces/${id}`)).body.permissions?.edit);
    expect(new Set(await Promise.all(canEdit)).size).toBe(1);
  }
});

test('a duplicate on one of the sites of a space is visible to no more people than the space', async () => {
  const spaceId = await made();
  await content.site({ spaces: [spaceId], role: 'none' });
  const open = await admin.mutate(
    'createSite',
    { organizationId, title: 'Open', spaceIds: [spaceId] },
    'site { id siteSpaces(first: 1) { nodes { id } } }',
  );
  const [{ id: siteSpaceId }] = open.site.siteSpaces.nodes;
  const { siteSpace } = await admin.mutate('duplicateSiteSpace', { siteSpaceId }, 'siteSpace { space { id } }');
  for (const id of [spaceId, siteSpace.space.id]) expect((await reader.get(`/v1/spaces/${id}`)).status).toBe(404);
});
