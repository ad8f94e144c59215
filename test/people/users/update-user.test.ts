import { expect, test } from 'vitest';
import { world } from '../../world.ts';

const made = await world();
const { app, admin, creator, reader, outsider, anonymous } = made;

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

/** The addresses of a user: the verified one, and the claimed one. */
async function addresses(userId: string) {
  const row = await app.services.db
    .selectFrom('user')
    .where('id', '=', userId)
    .select(['email', 'unverifiedEmail'])
    .executeTakeFirstOrThrow();
  return [row.email, row.unverifiedEmail];
}

test('rename: without a mail server: a self-assigned e-mail address waits for an operator where there is no mail server, on both transports', async () => {
  const { userId } = creator;
  const { body } = await creator.patch(`/v1/users/${userId}`, { email: 'Creator@acme.example' });
  expect([body.email, body.unverifiedEmail]).toEqual(['Creator@acme.example', undefined]);
  const claimed = (await creator.patch(`/v1/users/${userId}`, { email: 'new@acme.example' })).body;
  expect(claimed).toMatchObject({
    email: 'Creator@acme.example',
    unverifiedEmail: 'new@acme.example',
    emailVerification: 'awaits-operator',
  });
  const selection = 'user { email unverifiedEmail emailVerification }';
  const { user } = await creator.mutate('updateUser', { userId, email: 'newer@acme.example' }, selection);
  expect(user).toEqual({
    email: 'Creator@acme.example',
    unverifiedEmail: 'newer@acme.example',
    emailVerification: 'AWAITS_OPERATOR',
  });
  expect(await addresses(userId)).toEqual(['Creator@acme.example', 'newer@acme.example']);
});

test('a claimed address is shown to nobody else', async () => {
  const query = 'query($id: ID!) { user(id: $id) { email unverifiedEmail emailVerification } }';
  expect(await admin.graphql(query, { id: creator.userId })).toEqual({
    user: { email: 'Creator@acme.example', unverifiedEmail: null, emailVerification: null },
  });
  const { body } = await reader.get(`/v1/users/${creator.userId}`);
  expect(body).not.toHaveProperty('unverifiedEmail');
  const search = `/v1/orgs/${made.organizationId}/members?search=newer@acme.example`;
  expect((await admin.get(search)).body.items).toEqual([]);
});

test('the own address again withdraws a claim', async () => {
  await creator.patch(`/v1/users/${creator.userId}`, { email: 'creator@acme.example' });
  expect(await addresses(creator.userId)).toEqual(['creator@acme.example', null]);
});

test('rename: by an operator: an operator can change the e-mail address of any user, verified, and nothing else', async () => {
  const { userId } = outsider;
  const { status, body } = await admin.patch(`/v1/users/${userId}`, { email: 'elsewhere@globex.example' });
  expect([status, body.email, await addresses(userId)]).toEqual([
    200,
    'elsewhere@globex.example',
    ['elsewhere@globex.example', null],
  ]);
  const { user } = await admin.mutate('updateUser', { userId, email: 'there@globex.example' }, 'user { id email }');
  expect(user).toEqual({ id: userId, email: 'there@globex.example' });
  expect((await outsider.get('/v1/user')).body.email).toBe('there@globex.example');
  expect((await admin.patch(`/v1/users/${userId}`, { email: 'READER@acme.example' })).status).toBe(409);
  const both = { email: 'x@globex.example', displayName: 'X' };
  expect((await admin.patch(`/v1/users/${userId}`, both)).status).toBe(404);
  expect((await admin.patch(`/v1/users/${reader.userId}`, both)).status).toBe(403);
  expect((await admin.patch('/v1/users/user_00000000000000000000000000', { email: 'x@y.example' })).status).toBe(404);
});

test('the first administrator changes their own address', async () => {
  const { body } = await admin.patch(`/v1/users/${admin.userId}`, { email: 'ada@acme.example' });
  expect([body.email, await addresses(admin.userId)]).toEqual(['ada@acme.example', ['ada@acme.example', null]]);
});

test('an address that another account has verified can be claimed, which says nothing about that account', async () => {
  const { status, body } = await creator.patch(`/v1/users/${creator.userId}`, { email: 'READER@acme.example' });
  expect([status, body.unverifiedEmail]).toEqual([200, 'READER@acme.example']);
  expect(await addresses(reader.userId)).toEqual(['reader@acme.example', null]);
  await creator.patch(`/v1/users/${creator.userId}`, { email: 'creator@acme.example' });
});

test('five claims within an hour are enough', async () => {
  const claim = (count: number) => reader.patch(`/v1/users/${reader.userId}`, { email: `many${count}@acme.example` });
  for (let count = 0; count < 5; count++) expect((await claim(count)).status).toBe(200);
  const refused = await claim(5);
  expect([refused.status, refused.body.error.code]).toEqual([429, 429]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
  expect(await addresses(reader.userId)).toEqual(['reader@acme.example', 'many4@acme.example']);
  made.advance(3_600_000);
  expect((await claim(6)).status).toBe(200);
});

test('refuses other callers and what is no address', async () => {
  const email = 'mallory@acme.example';
  expect((await creator.patch(`/v1/users/${reader.userId}`, { email })).status).toBe(403);
  expect((await outsider.patch(`/v1/users/${reader.userId}`, { email })).status).toBe(404);
  expect((await anonymous.patch(`/v1/users/${reader.userId}`, { email })).status).toBe(401);
  for (const wrong of ['', 'ada', 'a@b', null, `${'a'.repeat(250)}@acme.example`]) {
    const { status, body } = await creator.patch(`/v1/users/${creator.userId}`, { email: wrong });
    expect([status, body.error.issues[0].path]).toEqual([400, ['email']]);
  }
  const sent = admin.mutate('updateUser', { userId: reader.userId, email: 'ada' }, 'user { id }');
  await expect(sent).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});
