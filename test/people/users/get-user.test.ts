import { expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import { world } from '../../world.ts';

const made = await world();
const { admin, reader, guest, outsider, anonymous, organizationId, otherOrganizationId, app } = made;

const QUERY = 'query($id: ID!) { user(id: $id) { id displayName email photoUrl createdAt urls { location } } }';

test('returns oneself and members of shared organizations, on both transports', async () => {
  for (const caller of [reader, admin]) {
    const { user } = await caller.graphql(QUERY, { id: reader.userId });
    expect(user).toMatchObject({
      id: reader.userId,
      displayName: 'Reader',
      email: 'reader@acme.example',
      photoUrl: null,
    });
    const { status, body } = await caller.get(`/v1/users/${reader.userId}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      object: 'user',
      id: reader.userId,
      displayName: 'Reader',
      email: 'reader@acme.example',
      urls: { location: user.urls.location },
    });
  }
});

test('guests see names, and no address but their own, by any id', async () => {
  const { user } = await guest.graphql(QUERY, { id: reader.userId });
  expect(user).toMatchObject({ displayName: 'Reader', email: null });
  const { status, body } = await guest.get(`/v1/users/${reader.userId}`);
  expect([status, body.displayName, body.email]).toEqual([200, 'Reader', undefined]);
  const query = 'query($ids: [ID!]!) { nodes(ids: $ids) { ... on User { email } } viewer { email } }';
  const ids = [admin.userId, reader.userId, guest.userId];
  const { nodes, viewer } = await guest.graphql(query, { ids });
  expect(nodes.map((node: { email: string | null }) => node.email)).toEqual([null, null, 'guest@acme.example']);
  expect(viewer.email).toBe('guest@acme.example');
});

test('the address of a membership is shown in its organization alone, to those who list members', async () => {
  const { db } = app.services;
  const known = { email: 'reader@known.example' };
  const ofReader = () => db.updateTable('membership').where('userId', '=', reader.userId);
  await ofReader().set(known).execute();
  const path = `/v1/orgs/${organizationId}/members/${reader.userId}`;
  expect((await admin.get(path)).body).toMatchObject({ email: known.email, user: { email: 'reader@acme.example' } });
  await db.updateTable('user').set({ email: null }).where('id', '=', reader.userId).execute();
  for (const [caller, email] of [
    [admin, known.email],
    [reader, known.email],
    [guest, undefined],
  ] as const) {
    expect([caller, (await caller.get(`/v1/users/${reader.userId}`)).body.email]).toEqual([caller, email]);
  }
  const search = (caller: typeof admin) => caller.get(`/v1/orgs/${organizationId}/members?search=KNOWN.example`);
  expect((await search(admin)).body.items.map(({ id }: { id: string }) => id)).toEqual([reader.userId]);
  expect((await search(guest)).status).toBe(403);
  // Another common organization does not know it.
  await db
    .insertInto('membership')
    .values({ id: newId('member'), organizationId: otherOrganizationId, userId: reader.userId, role: 'read' })
    .execute();
  expect((await outsider.get(`/v1/users/${reader.userId}`)).body).toMatchObject({ displayName: 'Reader' });
  expect((await outsider.get(`/v1/users/${reader.userId}`)).body).not.toHaveProperty('email');
  await db
    .deleteFrom('membership')
    .where('userId', '=', reader.userId)
    .where('organizationId', '=', otherOrganizationId)
    .execute();
  await ofReader().set({ email: null }).execute();
  await db.updateTable('user').set({ email: 'reader@acme.example' }).where('id', '=', reader.userId).execute();
});

test('hides everyone else like absent users', async () => {
  expect(await outsider.graphql(QUERY, { id: reader.userId })).toEqual({ user: null });
  const absent = newId('user');
  for (const id of [reader.userId, absent, organizationId, 'nothing']) {
    const { status, body } = await outsider.get(`/v1/users/${id}`);
    expect(status).toBe(404);
    expect(body.error.message).toBe(`The user "${id}" does not exist, or you cannot see it.`);
  }
});

test('is found by node under the same rule', async () => {
  const query = 'query($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on User { displayName } } }';
  const { nodes } = await reader.graphql(query, { ids: [admin.userId, outsider.userId] });
  expect(nodes).toEqual([{ __typename: 'User', id: admin.userId, displayName: 'Admin' }, null]);
});

test('requires a token', async () => {
  expect((await anonymous.get(`/v1/users/${reader.userId}`)).status).toBe(401);
  for (const field of ['user', 'node']) {
    const query = `query($id: ID!) { ${field}(id: $id) { id } }`;
    await expect(anonymous.graphql(query, { id: reader.userId })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  }
});

test('is denied to disabled members', async () => {
  const disable = (isDisabled: boolean) =>
    app.services.db.updateTable('membership').set({ isDisabled }).where('userId', '=', guest.userId).execute();
  await disable(true);
  expect((await guest.get(`/v1/users/${reader.userId}`)).status).toBe(404);
  expect((await guest.get(`/v1/users/${guest.userId}`)).status).toBe(200);
  expect((await reader.get(`/v1/users/${guest.userId}`)).status).toBe(200);
  await disable(false);
});
