import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { Client } from '../../client.ts';
import { world } from '../../world.ts';

const { admin, creator, editor, organizationId, url, app, eventsBy } = await world();
const { body: space } = await admin.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Guide', empty: true });

async function tokenWith(client: Client, scopes: string[] | null): Promise<{ id: string; secret: string }> {
  const { apiToken, secret } = await client.mutate(
    'createApiToken',
    { label: 'Agent', scopes: scopes?.map((scope) => scope.toUpperCase()) },
    'apiToken { id } secret',
  );
  return { id: apiToken.id, secret };
}

const clientWith = async (client: Client, scopes: string[]) =>
  new Client(url, (await tokenWith(client, scopes)).secret);

test('a token that can propose makes a change request, and does not merge it or edit directly', async () => {
  const agent = await clientWith(editor, ['propose']);
  const changes = [{ operation: 'insert_page', title: 'Proposed', document: { markdown: 'Text.' } }];
  const all = `/v1/spaces/${space.id}/change-requests`;
  const { body: changeRequest } = await agent.post(all, { subject: 'From an agent' });
  expect((await agent.post(`${all}/${changeRequest.id}/content`, { changes })).status).toBe(200);

  const merging = await agent.post(`${all}/${changeRequest.id}/merge`);
  expect(merging.status).toBe(403);
  expect(merging.body.error.message).toContain('does not have the scope "merge"');
  await expect(
    agent.mutate('mergeChangeRequest', { changeRequestId: changeRequest.id }, 'clientMutationId'),
  ).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect((await agent.post(`/v1/spaces/${space.id}/content`, { changes })).status).toBe(403);

  const merger = await clientWith(creator, ['merge']);
  expect(await merger.post(`${all}/${changeRequest.id}/merge`)).toMatchObject({
    status: 200,
    body: { result: 'merge' },
  });
});

test('scopes never exceed the permissions of the user', async () => {
  const agent = await clientWith(editor, ['admin']);
  expect((await agent.post(`/v1/orgs/${organizationId}/invites`, { emails: ['x@example.com'] })).status).toBe(403);
});

test('both transports show the scopes of a token, and none for one that is not restricted', async () => {
  const restricted = await tokenWith(editor, ['propose', 'comment']);
  const open = await tokenWith(editor, null);
  const { body } = await editor.get('/v1/user/tokens');
  const shown = (id: string) => body.items.find((token: { id: string }) => token.id === id)?.scopes;
  expect(shown(restricted.id)).toEqual(['read', 'propose', 'comment']);
  expect(shown(open.id)).toBeUndefined();
  const { viewer } = await editor.graphql('{ viewer { apiTokens(first: 50) { nodes { id scopes } } } }');
  expect(viewer.apiTokens.nodes).toContainEqual({ id: restricted.id, scopes: ['READ', 'PROPOSE', 'COMMENT'] });
  expect(viewer.apiTokens.nodes).toContainEqual({ id: open.id, scopes: null });
});

test('unknown scopes and an empty list are refused', async () => {
  for (const scopes of [[], ['everything'], 'read']) {
    const { status, body } = await editor.post('/v1/user/tokens', { label: 'Agent', scopes });
    expect(status).toBe(400);
    expect(body.error.message).toContain('scopes');
  }
});

test('a restricted token gets no other token, does not change the account, and is no operator', async () => {
  const agent = await clientWith(admin, ['admin']);
  const another = await agent.post('/v1/user/tokens', { label: 'More' });
  expect(another.status).toBe(403);
  expect(another.body.error.message).toContain('restricted to scopes');
  await expect(
    agent.mutate('updateUser', { userId: admin.userId, email: 'taken@example.com' }, 'clientMutationId'),
  ).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(
    agent.mutate('createUser', { email: 'new@example.com', displayName: 'New' }, 'clientMutationId'),
  ).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('a session that was started with a restricted token has its scopes', async () => {
  const { secret } = await tokenWith(editor, ['read']);
  const headers = { origin: app.services.config.publicUrl, 'content-type': 'application/x-www-form-urlencoded' };
  const signIn = await fetch(`${url}/app/sign-in`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ token: secret }),
    redirect: 'manual',
  });
  const cookie = signIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  expect(cookie).toContain('session');
  const query = `mutation { createApiToken(input: { label: "Wide" }) { secret } }`;
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { cookie, origin: app.services.config.publicUrl, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  expect(JSON.stringify(await answer.json())).toContain('does not have the scope');
});

test('reading shows no keys that admit other people', async () => {
  const agent = await clientWith(admin, ['read']);
  const { status, body: invite } = await admin.post(`/v1/orgs/${organizationId}/link-invites`, { role: 'read' });
  expect(status).toBe(201);
  expect((await agent.get(`/v1/orgs/${organizationId}/link-invites`)).status).toBe(403);
  expect((await agent.graphql('query ($id: ID!) { node(id: $id) { id } }', { id: invite.id })).node).toBeNull();
  expect((await agent.get(`/v1/orgs/${organizationId}/events`)).status).toBe(403);
  const [event] = await eventsBy();
  expect((await agent.graphql('query ($id: ID!) { node(id: $id) { id } }', { id: event?.id })).node).toBeNull();
});

test('inputs that change access, review or publication need a further scope', async () => {
  const agent = await clientWith(admin, ['write', 'propose', 'comment']);
  const path = `/v1/spaces/${space.id}`;
  expect((await agent.patch(path, { title: 'Renamed' })).status).toBe(200);
  const missing = async (input: object, scope: string, at = path) => {
    const { status, body } = await agent.patch(at, input);
    expect({ status, message: body.error?.message }).toMatchObject({
      status: 403,
      message: expect.stringContaining(`"${scope}"`),
    });
  };
  await missing({ defaultLevel: 'read' }, 'admin');
  await missing({ editMode: 'live' }, 'admin');
  const { body: proposed } = await agent.post(`${path}/change-requests`, { subject: 'Proposed' });
  await missing({ status: 'archived' }, 'merge', `${path}/change-requests/${proposed.id}`);
  const moved = await agent.post(`${path}/move`, { parent: null });
  expect(moved.body.error?.message).toContain('"admin"');
  const { body: theirs } = await creator.post(`${path}/comments`, { body: { markdown: 'Mine.' } });
  const { body: own } = await agent.post(`${path}/comments`, { body: { markdown: 'By an agent.' } });
  expect((await agent.delete(`${path}/comments/${theirs.id}`)).status).toBe(403);
  expect((await agent.delete(`${path}/comments/${own.id}`)).status).toBe(204);
});

test('a restricted token revokes itself, and no other', async () => {
  const { id, secret } = await tokenWith(editor, ['read']);
  const { id: other } = await tokenWith(editor, null);
  const agent = new Client(url, secret);
  expect(secret).toMatch(/^stemma_scoped_/);
  expect((await agent.delete(`/v1/user/tokens/${other}`)).status).toBe(403);
  expect((await agent.delete(`/v1/user/tokens/${id}`)).status).toBe(204);
  expect((await agent.get('/v1/user')).status).toBe(401);
});

test('versions that do not know scopes do not find a restricted token', async () => {
  const { id, secret } = await tokenWith(editor, ['read']);
  const { secretHash } = await app.services.db
    .selectFrom('api_token')
    .where('id', '=', id)
    .select('secretHash')
    .executeTakeFirstOrThrow();
  expect(Buffer.from(secretHash).equals(createHash('sha256').update(secret).digest())).toBe(false);
});

test('a restricted token accepts no invitation in a browser', async () => {
  const agent = await clientWith(editor, ['read']);
  const answer = await fetch(`${url}/invite`, {
    method: 'POST',
    headers: {
      origin: app.services.config.publicUrl,
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Bearer ${agent.token}`,
    },
    body: new URLSearchParams({ inviteId: 'emailinvite_x', secret: 'x' }),
    redirect: 'manual',
  });
  expect(await answer.text()).toContain('does not have the scope');
});

test('a restricted token ends no sessions, whatever its scopes', async () => {
  const agent = await clientWith(editor, ['admin']);
  const error = { code: 'FORBIDDEN', message: expect.stringContaining('restricted to scopes') };
  await expect(agent.mutate('endSession', { sessionId: 'session_any' }, 'deletedId')).rejects.toMatchObject(error);
  await expect(agent.mutate('deletePasskey', { passkeyId: 'passkey_any' }, 'deletedId')).rejects.toMatchObject(error);
});
