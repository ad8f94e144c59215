import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import { statementsOf } from '../../client.ts';
import { contentOf } from '../../people/access/content.ts';
import { expectShape } from '../../shapes.ts';
import { world } from '../../world.ts';

const { app, organizationId, grant, ...people } = await world();
const { admin, creator, reader, guest, outsider, anonymous } = people;
const { db } = app.services;
const content = contentOf(db, organizationId);

async function changeRequest(spaceId: string, number: number, status: 'draft' | 'open' | 'merged') {
  const [id, revision] = [newId('cr'), newId('rev')];
  const heads = { revisionId: revision, revisionInitialId: revision };
  const values = {
    id,
    organizationId,
    spaceId,
    number,
    status,
    ...heads,
    createdBy: admin.userId,
  };
  await db.insertInto('change_request').values(values).execute();
}

test('shows all of a space on both transports', async () => {
  const parent = await content.collection();
  const id = await content.space({ parentId: parent, role: 'comment' });
  await changeRequest(id, 1, 'open');
  await changeRequest(id, 2, 'open');
  await changeRequest(id, 3, 'draft');
  await changeRequest(id, 4, 'merged');
  const { status, body } = await reader.get(`/v1/spaces/${id}`);
  expect(status).toBe(200);
  expectShape('getSpaceById', 200, body);
  expectShape('getSpaceById', 200, body, { beyond: true });
  expect(body).toMatchObject({
    object: 'space',
    id,
    parent,
    visibility: 'in-collection',
    defaultLevel: 'comment',
    comments: 0,
    changeRequests: 4,
    changeRequestsOpen: 2,
    changeRequestsDraft: 1,
    permissions: { view: true, access: true, comment: true, edit: false, review: false, merge: false, admin: false },
  });
  const { space } = await reader.graphql(
    `query($id: ID!) { space(id: $id) {
      id visibility defaultLevel changeRequestsCount openChangeRequestsCount draftChangeRequestsCount
      parent { id } urls { location app }
      permissions { view access admin viewInviteLinks edit triggerGitSync comment merge review installIntegration }
    } }`,
    { id },
  );
  const { urls, permissions } = body;
  const shared = { id, urls, permissions, parent: { id: parent } };
  expect(space).toMatchObject({ ...shared, visibility: 'IN_COLLECTION', defaultLevel: 'COMMENT' });
  expect([space.changeRequestsCount, space.openChangeRequestsCount, space.draftChangeRequestsCount]).toEqual([4, 2, 1]);
});

test.each([
  ['none', { view: false }],
  [
    'read',
    { view: true, access: true, comment: false, edit: false, review: false, merge: false, triggerGitSync: false },
  ],
  ['comment', { comment: true, edit: false }],
  ['edit', { comment: true, edit: true, review: false, merge: false }],
  ['review', { edit: true, review: true, merge: true, triggerGitSync: false }],
  ['create', { review: true, merge: true, triggerGitSync: true, admin: false, viewInviteLinks: false }],
  ['admin', { triggerGitSync: true, admin: true, viewInviteLinks: true, installIntegration: true }],
] as const)('the role %s gives its permissions', async (role, permissions) => {
  const id = await content.space();
  await grant(id, guest.userId, role);
  const { status, body } = await guest.get(`/v1/spaces/${id}`);
  expect(status).toBe(role === 'none' ? 404 : 200);
  if (role !== 'none') expect(body.permissions).toMatchObject(permissions);
});

test('is NOT_FOUND for outsiders, and UNAUTHENTICATED without a token', async () => {
  const [id, hidden] = [await content.space(), await content.space({ role: 'none' })];
  for (const [client, spaceId] of [
    [outsider, id],
    [guest, id],
    [reader, hidden],
    [reader, 'space_01h455vb4pex5vsknk084sn02q'],
    [reader, 'x'],
  ] as const) {
    expect((await client.get(`/v1/spaces/${spaceId}`)).status).toBe(404);
    const found = await client.graphql(
      'query($id: ID!) { space(id: $id) { id } node(id: $id) { id } nodes(ids: [$id]) { id } }',
      { id: spaceId },
    );
    expect(found).toEqual({ space: null, node: null, nodes: [null] });
  }
  expect((await anonymous.get(`/v1/spaces/${id}`)).status).toBe(401);
  expect((await anonymous.get('/v1/spaces/space_01h455vb4pex5vsknk084sn02q')).status).toBe(401);
});

test("is public through a published site, without members' fields", async () => {
  const collection = await content.collection();
  const id = await content.space({ parentId: collection, role: 'none' });
  await changeRequest(id, 1, 'open');
  await content.site({ spaces: [id], isPublished: true, visibility: 'unlisted' });
  for (const client of [anonymous, outsider, guest, reader]) {
    const { status, body } = await client.get(`/v1/spaces/${id}`);
    expect(status).toBe(200);
    expectShape('getSpaceById', 200, body);
    expect(body).toMatchObject({ visibility: 'unlisted', changeRequests: 0, changeRequestsOpen: 0 });
    expect(body.permissions).toMatchObject({ view: true, access: false, comment: false, edit: false, admin: false });
    if (client !== reader) expect(body).not.toHaveProperty('parent');
  }
  const { node } = await anonymous.graphql(
    'query($id: ID!) { node(id: $id) { ... on Space { visibility organization { id } parent { id } openChangeRequestsCount } } }',
    { id },
  );
  expect(node).toEqual({ visibility: 'UNLISTED', organization: null, parent: null, openChangeRequestsCount: 0 });
  expect((await admin.get(`/v1/spaces/${id}`)).body).toMatchObject({ parent: collection, changeRequestsOpen: 1 });
});

test('shows its merge rules only to callers with a role on it', async () => {
  const id = await content.space();
  await content.site({ spaces: [id], isPublished: true, visibility: 'public' });
  const rules = [
    { rule: 'allow_bypass', users: [admin.userId] },
    { rule: 'custom', expression: 'approvals.length >= 2', message: 'Ask the lawyers.' },
  ];
  const path = `/v1/spaces/${id}`;
  expect((await admin.patch(path, { mergeRules: { type: 'rules', rules } })).status).toBe(200);
  const query = `query($id: ID!) { space(id: $id) { mergeRules { type rules {
    rule users { displayName } expression message } } } }`;
  const seen = async (client: typeof admin) => {
    const { space } = await client.graphql(query, { id });
    return [(await client.get(path)).body.mergeRules, space.mergeRules];
  };
  for (const client of [anonymous, outsider, guest]) {
    expect(await seen(client)).toEqual([{ type: 'inherit' }, { type: 'INHERIT', rules: [] }]);
  }
  const named = [
    { rule: 'ALLOW_BYPASS', users: [{ displayName: 'Admin' }], expression: null, message: null },
    { rule: 'CUSTOM', users: null, expression: 'approvals.length >= 2', message: 'Ask the lawyers.' },
  ];
  expect(await seen(reader)).toEqual([
    { type: 'rules', rules },
    { type: 'RULES', rules: named },
  ]);
});

test('has the widest visibility of its published sites', async () => {
  const id = await content.space();
  const visibility = async () => (await admin.get(`/v1/spaces/${id}`)).body.visibility;
  expect(await visibility()).toBe('private');
  await content.site({ spaces: [id], isPublished: false, visibility: 'public' });
  expect(await visibility()).toBe('private');
  for (const wider of ['visitor-auth', 'share-link', 'unlisted', 'public'] as const) {
    await content.site({ spaces: [id], isPublished: true, visibility: wider });
    expect(await visibility()).toBe(wider);
  }
});

test('hides a parent that the viewer cannot see', async () => {
  const collection = await content.collection({ role: 'none' });
  const id = await content.space({ parentId: collection, role: 'read' });
  const query = 'query($id: ID!) { space(id: $id) { visibility parent { id } } }';
  expect((await reader.graphql(query, { id })).space).toEqual({ visibility: 'IN_COLLECTION', parent: null });
  expect((await reader.get(`/v1/spaces/${id}`)).body).not.toHaveProperty('parent');
  expect((await admin.graphql(query, { id })).space.parent).toEqual({ id: collection });
});

test('finds any node by the id that REST gave', async () => {
  const [space, collection] = [await content.space(), await content.collection()];
  const query =
    'query($id: ID!) { node(id: $id) { __typename id ... on Space { title } ... on Organization { title } } }';
  expect((await reader.graphql(query, { id: space })).node).toEqual({ __typename: 'Space', id: space, title: 'Space' });
  expect((await reader.graphql(query, { id: collection })).node).toEqual({ __typename: 'Collection', id: collection });
  expect((await reader.graphql(query, { id: organizationId })).node).toMatchObject({
    __typename: 'Organization',
    title: 'Acme',
  });
});

test('reads the permissions, counts, parents and visibility of a hundred spaces in as many statements as those of one', async () => {
  const collection = await content.collection();
  const ids: string[] = [];
  for (let count = 0; count < 100; count++) ids.push(await content.space({ parentId: collection }));
  const query = `query($ids: [ID!]!) { nodes(ids: $ids) { ... on Space {
    title visibility openChangeRequestsCount draftChangeRequestsCount parent { title permissions { create } }
    organization { title } permissions { view edit admin }
  } } }`;
  const one = await creator.graphqlRaw(query, { ids: ids.slice(0, 1) });
  const hundred = await creator.graphqlRaw(query, { ids });
  expect(hundred.body.data.nodes).toHaveLength(100);
  expect(hundred.body.data.nodes[99]).toEqual(one.body.data.nodes[0]);
  expect(statementsOf(hundred)).toBe(statementsOf(one));
  const rest = (size: number) => creator.get(`/v1/collections/${collection}/spaces?limit=${size}`);
  const [all, few, many] = [await rest(100), await rest(1), await rest(99)];
  expect([all, few, many].map(({ body }) => [body.items.length, body.count])).toEqual([
    [100, 100],
    [1, 100],
    [99, 100],
  ]);
  // The number of items of a list on one page is known without counting them.
  expect(statementsOf(all)).toBeLessThan(statementsOf(few));
  expect(statementsOf(many)).toBe(statementsOf(few));
});

test('a space kept longer than it can be restored is absent, even to admins', async () => {
  const id = await content.space();
  const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString();
  const deletedAt = (time: string) => db.updateTable('space').set({ deletedAt: time }).where('id', '=', id).execute();
  await deletedAt(days(6.9));
  expect((await admin.get(`/v1/spaces/${id}`)).body.deletedAt).toBeDefined();
  expect((await reader.get(`/v1/spaces/${id}`)).status).toBe(404);
  expect((await admin.graphql('query($id: ID!) { node(id: $id) { id } }', { id })).node).toEqual({ id });
  expect((await reader.graphql('query($id: ID!) { node(id: $id) { id } }', { id })).node).toBe(null);
  await deletedAt(days(7.1));
  expect((await admin.get(`/v1/spaces/${id}`)).status).toBe(404);
  expect((await admin.graphql('query($id: ID!) { node(id: $id) { id } }', { id })).node).toBe(null);
  await sql`delete from space where id = ${id}`.execute(db);
});
