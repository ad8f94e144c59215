import { expect, test } from 'vitest';
import { contentOf } from '../../people/access/content.ts';
import { expectShape } from '../../shapes.ts';
import { world } from '../../world.ts';

const { app, organizationId, otherOrganizationId, grant, ...people } = await world();
const { admin, creator, reviewer, guest, outsider, anonymous } = people;
const content = contentOf(app.services.db, organizationId);
const path = `/v1/orgs/${organizationId}/spaces`;

test('creates a space with defaults and the caller as its admin', async () => {
  const { space } = await creator.mutate(
    'createSpace',
    { organizationId, clientMutationId: '1' },
    `clientMutationId space {
      id title emoji visibility editMode language deletedAt defaultLevel mergeRules { type rules { rule } } parent { id }
      organization { id } changeRequestsCount openChangeRequestsCount draftChangeRequestsCount
      urls { location app published public icon } permissions { view admin } revision { id }
    }`,
  );
  expect(space).toMatchObject({
    title: 'Untitled',
    emoji: '1f4d4',
    visibility: 'PRIVATE',
    editMode: 'LIVE',
    language: null,
    deletedAt: null,
    defaultLevel: 'INHERIT',
    mergeRules: { type: 'INHERIT', rules: [] },
    parent: null,
    organization: { id: organizationId },
    changeRequestsCount: 0,
    openChangeRequestsCount: 0,
    draftChangeRequestsCount: 0,
    urls: { published: null, public: null, icon: null },
    permissions: { view: true, admin: true },
  });
  expect(space.revision.id).toMatch(/^rev_/);
  const { status, body } = await creator.get(`/v1/spaces/${space.id}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ id: space.id, title: 'Untitled', revision: space.revision.id });
});

test('takes a title, emoji, language, mode and parent over REST, and returns a Location', async () => {
  const parent = await content.collection();
  const given = { title: 'Guide', emoji: '📘', language: 'pt-br', editMode: 'locked', parent };
  const { status, body, headers } = await creator.post(path, { ...given, empty: true });
  expect(status).toBe(201);
  expectShape('createSpace', 201, body);
  expectShape('getSpaceById', 200, body);
  expect(body).toMatchObject({ ...given, visibility: 'in-collection', organization: organizationId });
  expect(headers.get('location')).toBe(body.urls.location);
  const { space } = await creator.graphql(
    'query($id: ID!) { space(id: $id) { title language editMode parent { id } } }',
    {
      id: body.id,
    },
  );
  expect(space).toEqual({ title: 'Guide', language: 'PT_BR', editMode: 'LOCKED', parent: { id: parent } });
});

test('null counts as omitted, and unknown properties are ignored', async () => {
  const given = {
    title: null,
    emoji: null,
    language: null,
    parent: null,
    empty: null,
    editMode: null,
    template: { id: 'x' },
  };
  const { status, body } = await admin.post(path, given);
  expect(status).toBe(201);
  expect(body).toMatchObject({ title: 'Untitled', emoji: '1f4d4', editMode: 'live' });
  expect(body).not.toHaveProperty('language');
  expect((await admin.post(path)).status).toBe(201);
});

test('a member without the creator role can create in collections where they have it', async () => {
  const open = await content.collection();
  const closed = await content.collection({ role: 'review' });
  await grant(open, guest.userId, 'create');
  const { space } = await guest.mutate(
    'createSpace',
    { organizationId, parentId: open },
    'space { id permissions { admin } }',
  );
  expect(space.permissions.admin).toBe(true);
  await expect(guest.mutate('createSpace', { organizationId }, 'space { id }')).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  await expect(
    creator.mutate('createSpace', { organizationId, parentId: closed }, 'space { id }'),
  ).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('checks in this order: token, visibility, role, input', async () => {
  const input = { organizationId, title: 'x'.repeat(51) };
  const statuses = [anonymous, outsider, reviewer, creator].map(
    async (client) => (await client.post(path, input)).status,
  );
  expect(await Promise.all(statuses)).toEqual([401, 404, 403, 400]);
  const codes = [anonymous, outsider, reviewer, creator].map((client) =>
    client.mutate('createSpace', input, 'space { id }').then(
      () => 'none',
      ({ code }) => code,
    ),
  );
  expect(await Promise.all(codes)).toEqual(['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN', 'BAD_USER_INPUT']);
});

test('an unknown or hidden parent, or one of another organization, is BAD_USER_INPUT', async () => {
  const foreign = await contentOf(app.services.db, otherOrganizationId).collection();
  const hidden = await content.collection({ role: 'none' });
  const parents = ['collection_01h455vb4pex5vsknk084sn02q', 'nonsense', foreign, hidden];
  for (const parent of parents) {
    const { status, body } = await creator.post(path, { parent });
    expect(status).toBe(400);
    expect(body.error.message).toMatch(/^parent: Collection "\w+" does not exist in this organization/);
    await expect(
      creator.mutate('createSpace', { organizationId, parentId: parent }, 'space { id }'),
    ).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
      errors: [{ extensions: { issues: [{ path: ['input', 'parentId'] }] } }],
    });
  }
  const unseen = await outsider.post(`/v1/orgs/${otherOrganizationId}/spaces`, { parent: await content.collection() });
  expect(unseen.status).toBe(400);
});

test.each([
  ['title', 'x'.repeat(51)],
  ['title', 'bell\u0007'],
  ['title', 'two\nlines'],
  ['title', 'turned\u202eround'],
  ['title', 'half \ud800'],
  ['title', 7],
  ['emoji', ''],
  ['language', 'klingon'],
  ['editMode', 'open'],
  ['empty', 'yes'],
])('refuses the %s %j', async (name, value) => {
  const { status, body } = await creator.post(path, { [name]: value });
  expect(status).toBe(400);
  expect(body.error.message).toMatch(new RegExp(`^${name}: `));
});

test('counts code points: 50 emoji are a valid title', async () => {
  const title = '😀'.repeat(49);
  expect((await creator.post(path, { title: `${title}a` })).body.title).toBe(`${title}a`);
  expect((await creator.post(path, { title: `${title}ab` })).status).toBe(400);
});

test('a refused creation leaves nothing behind', async () => {
  const count = async () => (await admin.get(`${path}?limit=0`)).body.count;
  const before = await count();
  await creator.post(path, { title: 'kept out', parent: 'collection_01h455vb4pex5vsknk084sn02q' });
  expect(await count()).toBe(before);
  const { db } = app.services;
  expect(await db.selectFrom('space').where('title', '=', 'kept out').select('id').execute()).toEqual([]);
});

test('concurrent creations all get a position, in one order', async () => {
  const parentId = await content.collection();
  const titles = ['a', 'b', 'c', 'd', 'e', 'f'];
  await Promise.all(
    titles.map((title) => admin.mutate('createSpace', { organizationId, parentId, title }, 'space { id }')),
  );
  const { body } = await admin.get(`/v1/collections/${parentId}/spaces`);
  expect(body.items.map(({ title }: { title: string }) => title).sort()).toEqual(titles);
});
