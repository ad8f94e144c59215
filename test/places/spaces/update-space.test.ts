import { expect, test } from 'vitest';
import { contentOf } from '../../people/access/content.ts';
import { expectShape } from '../../shapes.ts';
import { world } from '../../world.ts';

const { app, organizationId, grant, ...people } = await world();
const { admin, creator, reviewer, reader, outsider, anonymous } = people;
const content = contentOf(app.services.db, organizationId);

const selection =
  'space { title emoji language editMode defaultLevel urls { icon } mergeRules { type rules { rule users { id } } } }';

test('changes given fields only', async () => {
  const spaceId = await content.space();
  const before = (await admin.get(`/v1/spaces/${spaceId}`)).body;
  const { space } = await admin.mutate('updateSpace', { spaceId, title: 'Guide', language: 'DE' }, selection);
  expect(space).toMatchObject({
    title: 'Guide',
    language: 'DE',
    emoji: before.emoji,
    editMode: 'LIVE',
    defaultLevel: 'INHERIT',
  });
  const { status, body } = await admin.patch(`/v1/spaces/${spaceId}`, { editMode: 'locked', defaultLevel: 'comment' });
  expect(status).toBe(200);
  expectShape('updateSpaceById', 200, body);
  expect(body).toMatchObject({ title: 'Guide', language: 'de', editMode: 'locked', defaultLevel: 'comment' });
  expect(body.updatedAt > before.updatedAt).toBe(true);
  expect(body.createdAt).toBe(before.createdAt);
});

test('an empty body changes nothing, not even the time', async () => {
  const spaceId = await content.space();
  const before = (await admin.get(`/v1/spaces/${spaceId}`)).body;
  expect(await admin.patch(`/v1/spaces/${spaceId}`, {})).toMatchObject({ status: 200, body: before });
  expect(await admin.patch(`/v1/spaces/${spaceId}`)).toMatchObject({ status: 200, body: before });
});

test.each([
  ['admin', 'ADMIN'],
  ['inherit', 'INHERIT'],
  [null, 'NONE'],
  ['read', 'READ'],
] as const)('takes the default level %s', async (given, inGraph) => {
  const spaceId = await content.space({ role: 'edit' });
  const { body } = await admin.patch(`/v1/spaces/${spaceId}`, { defaultLevel: given });
  expect(body.defaultLevel).toBe(given);
  expectShape('updateSpaceById', 200, body);
  const query = 'query($id: ID!) { space(id: $id) { defaultLevel } }';
  expect((await admin.graphql(query, { id: spaceId })).space).toEqual({ defaultLevel: inGraph });
  const { space } = await admin.mutate('updateSpace', { spaceId, defaultLevel: inGraph }, selection);
  expect(space.defaultLevel).toBe(inGraph);
});

test('a default level takes effect at once', async () => {
  const spaceId = await content.space();
  await admin.patch(`/v1/spaces/${spaceId}`, { defaultLevel: null });
  expect((await reader.get(`/v1/spaces/${spaceId}`)).status).toBe(404);
  await admin.patch(`/v1/spaces/${spaceId}`, { defaultLevel: 'edit' });
  expect((await reader.get(`/v1/spaces/${spaceId}`)).body.permissions).toMatchObject({ edit: true, review: false });
  await admin.patch(`/v1/spaces/${spaceId}`, { defaultLevel: 'inherit' });
  expect((await reader.get(`/v1/spaces/${spaceId}`)).body.permissions).toMatchObject({ access: true, comment: false });
});

test('callers who remove their own access still get the payload', async () => {
  const spaceId = await content.space({ role: 'admin' });
  const { space } = await creator.mutate(
    'updateSpace',
    { spaceId, defaultLevel: null },
    'space { defaultLevel permissions { view admin } }',
  );
  expect(space).toEqual({ defaultLevel: 'NONE', permissions: { view: false, admin: false } });
  expect((await creator.get(`/v1/spaces/${spaceId}`)).status).toBe(404);
});

test('an emoji and an icon replace each other, and null restores the default emoji', async () => {
  const spaceId = await content.space();
  const icon = 'https://images.example/icon.svg';
  const change = async (given: object) => {
    const { body, status } = await admin.patch(`/v1/spaces/${spaceId}`, given);
    return status === 200 ? [body.emoji, body.urls.icon] : status;
  };
  expect(await change({ emoji: '🎈' })).toEqual(['🎈', undefined]);
  expect(await change({ icon })).toEqual(['1f4d4', icon]);
  expect(await change({ title: 'kept' })).toEqual(['1f4d4', icon]);
  expect(await change({ emoji: '1f600' })).toEqual(['1f600', undefined]);
  expect(await change({ emoji: null })).toEqual(['1f4d4', undefined]);
  await change({ icon });
  expect(await change({ icon: null })).toEqual(['1f4d4', undefined]);
  expect(await change({ icon: 'javascript:alert(1)' })).toBe(400);
  expect(await change({ icon: 'icon.svg' })).toBe(400);
});

test('takes merge rules, whose users must be members', async () => {
  const spaceId = await content.space();
  const rules = [
    { rule: 'require_specific_reviewers', users: [reviewer.userId] },
    { rule: 'require_change_request_subject' },
  ];
  const { status, body } = await admin.patch(`/v1/spaces/${spaceId}`, { mergeRules: { type: 'rules', rules } });
  expect([status, body.mergeRules]).toEqual([200, { type: 'rules', rules }]);
  const { space } = await admin.graphql(`query($id: ID!) { space(id: $id) { ${selection.slice(8, -1)} } }`, {
    id: spaceId,
  });
  expect(space.mergeRules).toEqual({
    type: 'RULES',
    rules: [
      { rule: 'REQUIRE_SPECIFIC_REVIEWERS', users: [{ id: reviewer.userId }] },
      { rule: 'REQUIRE_CHANGE_REQUEST_SUBJECT', users: null },
    ],
  });
  const strangers = [{ rule: 'require_specific_reviewers', users: [outsider.userId] }];
  const refused = await admin.patch(`/v1/spaces/${spaceId}`, { mergeRules: { type: 'rules', rules: strangers } });
  expect([refused.status, refused.body.error.message]).toEqual([
    400,
    expect.stringMatching(/^mergeRules.rules.0.users: /),
  ]);
  for (const type of ['none', 'inherit'] as const) {
    expect((await admin.patch(`/v1/spaces/${spaceId}`, { mergeRules: { type } })).body.mergeRules).toEqual({ type });
  }
});

test('appearance requires a creator, settings require an admin', async () => {
  const spaceId = await content.space();
  const statusOf = async (client: typeof admin, given: object) =>
    (await client.patch(`/v1/spaces/${spaceId}`, given)).status;
  for (const looks of [{ title: 'x' }, { emoji: '1f600' }, { icon: null }, { language: 'en' }, {}]) {
    expect(await statusOf(creator, looks)).toBe(200);
    expect(await statusOf(reviewer, looks)).toBe(403);
  }
  for (const settings of [{ editMode: 'live' }, { defaultLevel: 'inherit' }, { mergeRules: { type: 'inherit' } }]) {
    expect(await statusOf(creator, settings)).toBe(403);
    expect(await statusOf(creator, { title: 'mixed', ...settings })).toBe(403);
    expect(await statusOf(admin, settings)).toBe(200);
  }
  expect((await admin.get(`/v1/spaces/${spaceId}`)).body.title).toBe('x');
});

test('checks in this order: token, visibility, role, input', async () => {
  const spaceId = await content.space();
  const title = 'x'.repeat(51);
  const clients = [anonymous, outsider, reviewer, creator];
  const statuses = clients.map(async (client) => (await client.patch(`/v1/spaces/${spaceId}`, { title })).status);
  expect(await Promise.all(statuses)).toEqual([401, 404, 403, 400]);
  const codes = clients.map((client) =>
    client.mutate('updateSpace', { spaceId, title }, selection).catch(({ code }) => code),
  );
  expect(await Promise.all(codes)).toEqual(['UNAUTHENTICATED', 'NOT_FOUND', 'FORBIDDEN', 'BAD_USER_INPUT']);
});

test.each([
  ['title', null],
  ['title', 'x'.repeat(51)],
  ['editMode', 'open'],
  ['editMode', null],
  ['defaultLevel', 'owner'],
  ['language', 'klingon'],
  ['mergeRules', { type: 'some' }],
  ['mergeRules', null],
  ['emoji', 'x'.repeat(51)],
])('refuses the %s %j', async (name, value) => {
  const spaceId = await content.space();
  const { status, body } = await admin.patch(`/v1/spaces/${spaceId}`, { [name]: value });
  expect(status).toBe(400);
  expect(body.error.message).toMatch(new RegExp(`^${name}`));
});
