import { expect, test } from 'vitest';
import { hashToken } from '../../../src/platform/access/credentials.ts';
import { Client } from '../../client.ts';
import { world } from '../../world.ts';

const { admin, reader, outsider, anonymous, url, app, advance } = await world();

const SELECTION = 'apiToken { id label expiresAt createdAt lastUsedAt } secret';
const HOUR = 3_600_000;

const later = (milliseconds: number) => new Date(app.services.clock().getTime() + milliseconds).toISOString();

test('creates a working token, and stores its hash only', async () => {
  const { apiToken, secret } = await reader.mutate('createApiToken', { label: 'Laptop' }, SELECTION);
  expect(apiToken).toMatchObject({
    id: expect.stringMatching(/^token_/),
    label: 'Laptop',
    expiresAt: null,
    lastUsedAt: null,
  });
  expect(secret).toMatch(/^stemma_[A-Za-z0-9_-]{43}$/);
  const caller = new Client(url, secret);
  expect((await caller.get('/v1/user')).body.id).toBe(reader.userId);

  const row = await app.services.db
    .selectFrom('api_token')
    .where('id', '=', apiToken.id)
    .selectAll()
    .executeTakeFirstOrThrow();
  expect(Buffer.from(row.secretHash).equals(hashToken(secret))).toBe(true);
  expect(JSON.stringify(row)).not.toContain(secret);
});

test('responds with 201 over REST and forbids caching', async () => {
  const { status, body, headers } = await reader.post('/v1/user/tokens', {
    label: 'CI',
    expiresAt: '2099-01-31T10:00:00+02:00',
  });
  expect(status).toBe(201);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toEqual({
    object: 'api-token',
    id: expect.stringMatching(/^token_/),
    label: 'CI',
    createdAt: expect.stringMatching(/Z$/),
    expiresAt: '2099-01-31T08:00:00.000Z',
    secret: expect.stringMatching(/^stemma_/),
  });
});

test('operators create tokens for others; everyone else for themselves', async () => {
  const { secret } = await admin.mutate('createApiToken', { userId: outsider.userId, label: 'Welcome' }, SELECTION);
  expect((await new Client(url, secret).get('/v1/user')).body.id).toBe(outsider.userId);
  expect((await reader.post('/v1/user/tokens', { userId: reader.userId, label: 'Mine' })).status).toBe(201);

  for (const userId of [admin.userId, outsider.userId, 'user_unknown']) {
    const mutation = reader.mutate('createApiToken', { userId, label: 'Theirs' }, SELECTION);
    await expect(mutation).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await reader.post('/v1/user/tokens', { userId, label: 7 })).status).toBe(403);
  }
});

test('an unknown user is BAD_USER_INPUT for an operator', async () => {
  const { status, body } = await admin.post('/v1/user/tokens', { userId: 'user_unknown', label: 'Nobody' });
  expect(status).toBe(400);
  expect(body.error.issues[0].path).toEqual(['userId']);
});

test('requires a token', async () => {
  expect((await anonymous.post('/v1/user/tokens', { label: 'None' })).status).toBe(401);
});

test.each([
  [{}, 'label'],
  [{ label: '' }, 'label'],
  [{ label: 'x'.repeat(51) }, 'label'],
  [{ label: 'Late', expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt'],
  [{ label: 'Vague', expiresAt: 'tomorrow' }, 'expiresAt'],
  [{ label: 'Forever', expiresAt: '9999-12-31T23:59:59-01:00' }, 'expiresAt'],
  [{ label: 'Local', expiresAt: '2099-01-01T00:00:00' }, 'expiresAt'],
])('refuses %j', async (body, member) => {
  const answer = await reader.post('/v1/user/tokens', body);
  expect(answer.status).toBe(400);
  expect(answer.body.error.issues[0].path).toEqual([member]);
});

test('ends at its time, to the second', async () => {
  const { secret } = await reader.mutate('createApiToken', { label: 'Short', expiresAt: later(HOUR) }, SELECTION);
  const caller = new Client(url, secret);
  advance(HOUR - 1_000);
  expect((await caller.get('/v1/user')).status).toBe(200);
  advance(1_000);
  expect((await caller.get('/v1/user')).status).toBe(401);
  await expect(caller.graphql('{ viewer { id } }')).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});
