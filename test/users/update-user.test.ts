import { expect, test } from 'vitest';
import { world } from '../world.ts';

const { admin, reader, outsider, anonymous } = await world();

const SELECTION = 'user { id displayName photoUrl }';

test('changes what is given and leaves the rest, on both transports', async () => {
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

test('is for oneself: others who can be seen are FORBIDDEN, the rest NOT_FOUND', async () => {
  const input = { userId: reader.userId, displayName: 'Mallory' };
  await expect(admin.mutate('updateUser', input, SELECTION)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(outsider.mutate('updateUser', input, SELECTION)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(anonymous.mutate('updateUser', input, SELECTION)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  expect((await admin.patch(`/v1/users/${reader.userId}`, { displayName: 'Mallory' })).status).toBe(403);
  expect((await outsider.patch(`/v1/users/${reader.userId}`, { displayName: 'Mallory' })).status).toBe(404);
});

test('says who may not do it before it says what is wrong', async () => {
  expect((await admin.patch(`/v1/users/${reader.userId}`, { displayName: '' })).status).toBe(403);
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

test('wants something to change', async () => {
  expect((await reader.patch(`/v1/users/${reader.userId}`, {})).status).toBe(400);
  const mutation = reader.mutate('updateUser', { userId: reader.userId }, SELECTION);
  await expect(mutation).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});
