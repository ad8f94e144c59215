import { once } from 'node:events';
import { expect, test, vi } from 'vitest';
import { forgetToken, makeAuthenticate } from '../../../src/platform/access/authenticate.ts';
import { hashSession, hashToken, makeSessionSecret } from '../../../src/platform/access/credentials.ts';
import { Client } from '../../client.ts';
import { sendRaw } from '../../raw-requests.ts';
import { world } from '../../world.ts';

const { admin, reader, anonymous, url, app, advance } = await world();

async function makeToken(): Promise<{ id: string; caller: Client }> {
  const { body } = await reader.post('/v1/user/tokens', { label: 'To go' });
  const caller = new Client(url, body.secret, reader.userId);
  // Used, and so remembered by the process.
  expect((await caller.get('/v1/user')).status).toBe(200);
  return { id: body.id, caller };
}

test('ends a token at once', async () => {
  const { id, caller } = await makeToken();
  expect(await reader.mutate('revokeApiToken', { apiTokenId: id }, 'deletedId user { id }')).toEqual({
    deletedId: id,
    user: { id: reader.userId },
  });
  expect((await caller.get('/v1/user')).status).toBe(401);
  expect(await reader.mutate('revokeApiToken', { apiTokenId: id }, 'deletedId')).toEqual({ deletedId: null });
});

test('a token can end itself; REST answers 204, also when there is none', async () => {
  const { id, caller } = await makeToken();
  const answers = [await caller.delete(`/v1/user/tokens/${id}`), await reader.delete(`/v1/user/tokens/${id}`)];
  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    [204, ''],
    [204, ''],
  ]);
  expect((await caller.get('/v1/user')).status).toBe(401);
  expect((await reader.get('/v1/user')).status).toBe(200);
});

test('does not revoke tokens of others', async () => {
  const { id, caller } = await makeToken();
  expect(await admin.mutate('revokeApiToken', { apiTokenId: id }, 'deletedId')).toEqual({ deletedId: null });
  expect((await admin.delete(`/v1/user/tokens/${id}`)).status).toBe(204);
  expect((await anonymous.delete(`/v1/user/tokens/${id}`)).status).toBe(401);
  expect((await caller.get('/v1/user')).status).toBe(200);
});

test('a concurrent lookup does not cache a revoked token', async () => {
  const services = { ...app.services };
  const authenticate = makeAuthenticate(services);
  const token = `Bearer ${reader.token}`;
  const looking = authenticate(token);
  forgetToken(services, hashToken(String(reader.token)));
  await expect(looking).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  await expect(authenticate(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

/** Deletes a token in the database, as another process does. */
const deleteElsewhere = (id: string) => app.services.db.deleteFrom('api_token').where('id', '=', id).execute();

test('another process notices a second before the promised five', async () => {
  const { id, caller } = await makeToken();
  let now = Date.now();
  const authenticate = makeAuthenticate({ ...app.services, clock: () => new Date(now) });
  const token = `Bearer ${caller.token}`;
  expect(await authenticate(token)).toMatchObject({ userId: reader.userId });
  await deleteElsewhere(id);
  now += 3_999;
  expect(authenticate.cachedCaller(token)).toMatchObject({ userId: reader.userId });
  now += 1;
  expect(authenticate.cachedCaller(token)).toBe(undefined);
  await expect(authenticate(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

test('the time counts from before a token was read, however long the reading took', async () => {
  const { id, caller } = await makeToken();
  let now = Date.now();
  const authenticate = makeAuthenticate({ ...app.services, clock: () => new Date(now) });
  const token = `Bearer ${caller.token}`;
  const reading = authenticate(token);
  now += 3_000;
  expect(await reading).toMatchObject({ userId: reader.userId });
  await deleteElsewhere(id);
  now += 1_000;
  await expect(authenticate(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

test('a clock that is set back does not extend the time', async () => {
  const { id, caller } = await makeToken();
  const start = Date.now();
  let now = start;
  const authenticate = makeAuthenticate({ ...app.services, clock: () => new Date(now) });
  const token = `Bearer ${caller.token}`;
  await authenticate(token);
  await deleteElsewhere(id);
  now = start - 1;
  await expect(authenticate(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });

  const second = await makeToken();
  now = start;
  await authenticate(`Bearer ${second.caller.token}`);
  await deleteElsewhere(second.id);
  const monotonic = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(monotonic + 4_000);
  await expect(authenticate(`Bearer ${second.caller.token}`)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  vi.restoreAllMocks();
});

test('operators who lose their rights are no operators after the same time', async () => {
  let now = Date.now();
  const authenticate = makeAuthenticate({ ...app.services, clock: () => new Date(now) });
  const isOperator = (value: boolean) =>
    app.services.db.updateTable('user').set({ isOperator: value }).where('id', '=', admin.userId).execute();
  expect(await authenticate(`Bearer ${admin.token}`)).toMatchObject({ isOperator: true });
  await isOperator(false);
  now += 4_000;
  expect(await authenticate(`Bearer ${admin.token}`)).toMatchObject({ isOperator: false });
  await isOperator(true);
});

test('sessions end after the same time in another process', async () => {
  const { db } = app.services;
  const secret = makeSessionSecret();
  let now = Date.now();
  const expiresAt = new Date(now + 60_000).toISOString();
  const session = { userId: reader.userId, secretHash: hashSession(secret), expiresAt };
  await db.insertInto('session').values(session).execute();
  const authenticate = makeAuthenticate({ ...app.services, clock: () => new Date(now) });
  expect(await authenticate(undefined, secret)).toMatchObject({ userId: reader.userId });
  await db.deleteFrom('session').where('secretHash', '=', session.secretHash).execute();
  now += 4_000;
  expect(await authenticate(undefined, secret)).toEqual({ kind: 'anonymous' });
});

test('a token that is revoked while a body arrives does nothing', async () => {
  const { body: token } = await reader.post('/v1/user/tokens', { label: 'Slow' });
  const body = JSON.stringify({ label: 'By a revoked token' });
  const headers = { authorization: `Bearer ${token.secret}`, 'content-length': String(body.length) };
  const socket = sendRaw(url, { path: '/v1/user/tokens', headers });
  const lastUse = () =>
    app.services.db.selectFrom('api_token').where('id', '=', token.id).select('lastUsedAt').executeTakeFirst();
  await expect.poll(async () => (await lastUse())?.lastUsedAt ?? null, { timeout: 20_000 }).not.toBe(null);
  await deleteElsewhere(token.id);
  advance(4_000);
  socket.write(body);
  const [answer] = await once(socket.resume(), 'data');
  socket.destroy();
  expect(String(answer)).toMatch(/^HTTP\/1.1 401 /);
});
