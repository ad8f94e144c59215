import { expect, test } from 'vitest';
import { world } from '../../world.ts';

const { admin, reader, guest, outsider, anonymous, organizationId, app } = await world();

const QUERY = 'query($id: ID!) { user(id: $id) { id displayName email photoUrl createdAt urls { location } } }';

test('returns oneself and members of shared organizations, including guests, on both transports', async () => {
  for (const caller of [reader, admin, guest]) {
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

test('hides everyone else like absent users', async () => {
  expect(await outsider.graphql(QUERY, { id: reader.userId })).toEqual({ user: null });
  const absent = reader.userId.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
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
