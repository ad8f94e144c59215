import { expect, test } from 'vitest';
import { world } from '../../world.ts';

const { app, admin, creator, reader, outsider, anonymous } = await world();

const SELECTION = 'user { id displayName photoUrl }';

test('changes given fields and keeps the rest, on both transports', async () => {
  const photoUrl = 'https://images.example/reader.png?size=64';
  const { user } = await reader.mutate('updateUser', { userId: reader.userId, photoUrl }, SELECTION);
  expect(user).toEqual({ id: reader.userId, displayName: 'Reader', photoUrl });

  const { status, body } = await reader.patch(`/v1/users/${reader.userId}`, { displayName: 'Réader 👩‍💻', unknown: 1 });
  expect(status).toBe(200);
  expect(body).toMatchObject({ object: 'user', displayName: 'Réader 👩‍💻', photoURL: photoUrl });
  const { viewer } = await reader.graphql('{ viewer { displayName photoUrl } }');
  expect(viewer).toEqual({ displayName: 'Réader 👩‍💻', photoUrl });
});

test('removes the photo by null', async () => {
  await reader.mutate('updateUser', { userId: reader.userId, photoUrl: 'https://images.example/a.png' }, SELECTION);
  const { user } = await reader.mutate('updateUser', { userId: reader.userId, photoUrl: null }, SELECTION);
  expect(user.photoUrl).toBeNull();
});

test('only changes oneself: visible users are FORBIDDEN, others NOT_FOUND', async () => {
  const input = { userId: reader.userId, displayName: 'Mallory' };
  await expect(admin.mutate('updateUser', input, SELECTION)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(outsider.mutate('updateUser', input, SELECTION)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(anonymous.mutate('updateUser', input, SELECTION)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect((await admin.patch(`/v1/users/${reader.userId}`, { displayName: 'Mallory' })).status).toBe(403);
  expect((await outsider.patch(`/v1/users/${reader.userId}`, { displayName: 'Mallory' })).status).toBe(404);
});

test('checks permission before validation', async () => {
  expect((await creator.patch(`/v1/users/${reader.userId}`, { displayName: '' })).status).toBe(403);
  expect((await outsider.patch(`/v1/users/${reader.userId}`, { displayName: 7 })).status).toBe(404);
  expect((await admin.patch(`/v1/users/${reader.userId}`, {})).status).toBe(403);
});

test.each([
  ['displayName', ''],
  ['displayName', 'x'.repeat(65)],
  ['displayName', 'two\nlines'],
  ['displayName', 'a\u0000b'],
  ['displayName', null],
  ['photoURL', 'portrait.png'],
  ['photoURL', 'javascript:alert(1)'],
  ['photoURL', 'https://images.example/a b.png'],
  ['photoURL', `https://images.example/${'x'.repeat(2048)}`],
])('refuses %s %j', async (member, value) => {
  const { status, body } = await reader.patch(`/v1/users/${reader.userId}`, { [member]: value });
  expect(status).toBe(400);
  expect(body.error.issues[0].path).toEqual([member]);
});

test('counts code points', async () => {
  expect((await reader.patch(`/v1/users/${reader.userId}`, { displayName: '😀'.repeat(64) })).status).toBe(200);
});

test('requires a field to change', async () => {
  expect((await reader.patch(`/v1/users/${reader.userId}`, {})).status).toBe(400);
  const mutation = reader.mutate('updateUser', { userId: reader.userId }, SELECTION);
  await expect(mutation).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});

const isVerified = async (userId: string) =>
  (await app.services.db.selectFrom('user').where('id', '=', userId).select('isEmailVerified').executeTakeFirst())
    ?.isEmailVerified;

test('a self-assigned e-mail address is unverified, on both transports', async () => {
  const { userId } = creator;
  expect(await isVerified(userId)).toBe(true);
  const { body } = await creator.patch(`/v1/users/${userId}`, { email: 'Creator@acme.example' });
  expect([body.email, await isVerified(userId)]).toEqual(['Creator@acme.example', true]);
  await creator.patch(`/v1/users/${userId}`, { email: 'new@acme.example' });
  expect(await isVerified(userId)).toBe(false);
  const { user } = await creator.mutate('updateUser', { userId, email: 'newer@acme.example' }, 'user { email }');
  expect([user.email, await isVerified(userId)]).toEqual(['newer@acme.example', false]);
});

test('an operator can change the e-mail address of any user, verified, and nothing else', async () => {
  const { userId } = outsider;
  const { status, body } = await admin.patch(`/v1/users/${userId}`, { email: 'elsewhere@globex.example' });
  expect([status, body.email, await isVerified(userId)]).toEqual([200, 'elsewhere@globex.example', true]);
  const { user } = await admin.mutate('updateUser', { userId, email: 'there@globex.example' }, 'user { id email }');
  expect(user).toEqual({ id: userId, email: 'there@globex.example' });
  expect((await outsider.get('/v1/user')).body.email).toBe('there@globex.example');
  const both = { email: 'x@globex.example', displayName: 'X' };
  expect((await admin.patch(`/v1/users/${userId}`, both)).status).toBe(404);
  expect((await admin.patch(`/v1/users/${reader.userId}`, both)).status).toBe(403);
  expect((await admin.patch('/v1/users/user_00000000000000000000000000', { email: 'x@y.example' })).status).toBe(404);
});

test('the first administrator changes their own address', async () => {
  const { body } = await admin.patch(`/v1/users/${admin.userId}`, { email: 'ada@acme.example' });
  expect([body.email, await isVerified(admin.userId)]).toEqual(['ada@acme.example', true]);
});

test('refuses other callers, used addresses and null', async () => {
  const email = 'mallory@acme.example';
  expect((await creator.patch(`/v1/users/${reader.userId}`, { email })).status).toBe(403);
  expect((await outsider.patch(`/v1/users/${reader.userId}`, { email })).status).toBe(404);
  expect((await anonymous.patch(`/v1/users/${reader.userId}`, { email })).status).toBe(401);
  expect((await creator.patch(`/v1/users/${creator.userId}`, { email: 'READER@acme.example' })).status).toBe(409);
  for (const wrong of ['', 'ada', 'a@b', null, `${'a'.repeat(250)}@acme.example`]) {
    const { status, body } = await creator.patch(`/v1/users/${creator.userId}`, { email: wrong });
    expect([status, body.error.issues[0].path]).toEqual([400, ['email']]);
  }
  const sent = admin.mutate('updateUser', { userId: reader.userId, email: 'ada' }, 'user { id }');
  await expect(sent).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});
