import { expect, test } from 'vitest';
import { forgetToken, hashToken, makeAuthenticate } from '../../../src/platform/access/authenticate.ts';
import { Client } from '../../client.ts';
import { world } from '../../world.ts';

const { admin, reader, anonymous, url, app } = await world();

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

test('another process notices within five seconds', async () => {
  const { id, caller } = await makeToken();
  let now = Date.now();
  const authenticate = makeAuthenticate({ ...app.services, clock: () => new Date(now) });
  const token = `Bearer ${caller.token}`;
  expect(await authenticate(token)).toMatchObject({ userId: reader.userId });
  await reader.delete(`/v1/user/tokens/${id}`);
  now += 5_000;
  await expect(authenticate(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});
