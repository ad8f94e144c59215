import { expect, test } from 'vitest';
import { Client } from '../../client.ts';
import { world } from '../../world.ts';

const { admin, creator, outsider, anonymous, url, app } = await world();

const SELECTION = 'user { id displayName email }';

test('creates an account that can authenticate with a token from the operator', async () => {
  const { user } = await admin.mutate('createUser', { email: 'Ada@Example.com', displayName: 'Ada' }, SELECTION);
  expect(user).toEqual({ id: expect.stringMatching(/^user_/), displayName: 'Ada', email: 'Ada@Example.com' });

  const made = await admin.post('/v1/user/tokens', { userId: user.id, label: 'First' });
  expect(made.status).toBe(201);
  const ada = new Client(url, made.body.secret, user.id);
  expect((await ada.get('/v1/user')).body).toMatchObject({ id: user.id, email: 'Ada@Example.com' });
});

test('responds with 201 over REST', async () => {
  const { status, body } = await admin.post('/v1/users', { email: 'grace@example.com', displayName: 'Grace' });
  expect(status).toBe(201);
  expect(body).toMatchObject({ object: 'user', displayName: 'Grace', email: 'grace@example.com' });
});

test('make: operator: marks the e-mail as verified, and does not create an operator', async () => {
  const { body } = await admin.post('/v1/users', { email: 'verified@example.com', displayName: 'V' });
  const row = await app.services.db.selectFrom('user').where('id', '=', body.id).selectAll().executeTakeFirst();
  expect(row).toMatchObject({ email: 'verified@example.com', unverifiedEmail: null, isOperator: false });
});

test('refuses an e-mail address that is in use, in any case, also concurrently', async () => {
  const both = await Promise.all(
    ['twin@example.com', 'Twin@example.com'].map((email) => admin.post('/v1/users', { email, displayName: 'Twin' })),
  );
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  const mutation = admin.mutate('createUser', { email: 'TWIN@example.com', displayName: 'Twin' }, SELECTION);
  await expect(mutation).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('requires an operator; others are refused before validation', async () => {
  for (const caller of [creator, outsider]) {
    const mutation = caller.mutate('createUser', { email: 'eve@example.com', displayName: 'Eve' }, SELECTION);
    await expect(mutation).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await caller.post('/v1/users', { email: 'nonsense' })).status).toBe(403);
  }
  expect((await anonymous.post('/v1/users', { email: 'eve@example.com', displayName: 'Eve' })).status).toBe(401);
});

test.each([
  [{ displayName: 'No mail' }, 'email'],
  [{ email: 'nobody', displayName: 'X' }, 'email'],
  [{ email: 'a b@example.com', displayName: 'X' }, 'email'],
  [{ email: `${'a'.repeat(250)}@example.com`, displayName: 'X' }, 'email'],
  [{ email: 'x@example.com' }, 'displayName'],
  [{ email: 'x@example.com', displayName: 'x'.repeat(65) }, 'displayName'],
])('refuses %j', async (body, member) => {
  const answer = await admin.post('/v1/users', body);
  expect(answer.status).toBe(400);
  expect(answer.body.error.issues[0].path).toEqual([member]);
});
