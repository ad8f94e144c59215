import { expect, test, vi } from 'vitest';
import { runProgram } from '../../command.ts';
import { world } from '../../world.ts';

// Whole processes.
vi.setConfig({ testTimeout: 120_000 });

const { app, admin, creator, reader, editor, outsider, anonymous, databaseUrl } = await world();
const { db } = app.services;

const claim = (by: typeof admin, email: string) => by.patch(`/v1/users/${by.userId}`, { email });
const confirm = (by: typeof admin, userId: string, email: string) =>
  by.post(`/v1/users/${userId}/confirm-email`, { email });
const emailOf = async ({ userId }: typeof admin) =>
  (await db.selectFrom('user').where('id', '=', userId).select('email').executeTakeFirst())?.email;

test('an operator confirms the address that a user has set, on both transports', async () => {
  await claim(creator, 'New@acme.example');
  const { status, body } = await confirm(admin, creator.userId, 'new@ACME.example');
  expect([status, body.id, body.email]).toEqual([200, creator.userId, 'New@acme.example']);
  expect((await creator.get('/v1/user')).body).not.toHaveProperty('unverifiedEmail');
  await claim(outsider, 'out@globex.example');
  const input = { userId: outsider.userId, email: 'out@globex.example' };
  expect(await admin.mutate('confirmUserEmail', input, 'user { id email }')).toEqual({
    user: { id: outsider.userId, email: 'out@globex.example' },
  });
  const events = await db
    .selectFrom('event')
    .where('kind', '=', 'user_email_verified')
    .select(['actorId', 'ids'])
    .execute();
  expect(events).toContainEqual({ actorId: admin.userId, ids: { userId: outsider.userId } });
});

test('only the address that the user has set', async () => {
  await claim(reader, 'wanted@acme.example');
  for (const email of ['other@acme.example', 'reader@acme.example']) {
    const { status, body } = await confirm(admin, reader.userId, email);
    expect([status, body.error.message]).toEqual([409, expect.stringContaining('has not set the address')]);
  }
  expect((await confirm(admin, reader.userId, 'nonsense')).status).toBe(400);
  expect((await confirm(admin, 'user_00000000000000000000000000', 'wanted@acme.example')).status).toBe(404);
  expect(await emailOf(reader)).toBe('reader@acme.example');
});

test('is for operators', async () => {
  for (const [caller, status] of [
    [reader, 403],
    [outsider, 403],
    [anonymous, 401],
  ] as const) {
    expect((await confirm(caller, reader.userId, 'wanted@acme.example')).status).toBe(status);
  }
  const input = { userId: reader.userId, email: 'wanted@acme.example' };
  await expect(reader.mutate('confirmUserEmail', input, 'user { id }')).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('an address that another account has verified meanwhile is CONFLICT', async () => {
  await claim(editor, 'twice@acme.example');
  await admin.post('/v1/users', { email: 'Twice@acme.example', displayName: 'Twin' });
  const { status, body } = await confirm(admin, editor.userId, 'twice@acme.example');
  expect([status, body.error.message]).toEqual([409, 'Another account has this verified email address.']);
});

const run = (...words: string[]) =>
  runProgram('confirm-email', words, {
    DATABASE_URL: databaseUrl,
    SECRET_KEY: 'a key of tests that is long enough',
    DATA_DIR: `${app.services.config.dataDir}-command`,
  });

test('npm run confirm-email does the same beside the database', async () => {
  expect(await run()).toMatchObject({ code: 1, output: expect.stringContaining('Usage: npm run confirm-email') });
  expect((await run('--emial', 'x')).output).toContain('Usage');
  await claim(creator, 'same@acme.example');
  await claim(reader, 'same@acme.example');
  const several = await run('--email', 'SAME@acme.example');
  expect(several.code).toBe(1);
  for (const { userId } of [creator, reader]) expect(several.output).toContain(userId);
  const done = await run('--user', creator.userId, '--email', 'same@acme.example');
  expect(done).toEqual({
    code: 0,
    output: `Confirmed same@acme.example as the address of Creator (${creator.userId}).\n`,
  });
  expect(await emailOf(creator)).toBe('same@acme.example');
  const taken = await run('--email', 'same@acme.example');
  expect(taken).toMatchObject({ code: 1, output: expect.stringContaining('Another account has this verified') });
  expect(await run('--user', creator.userId)).toMatchObject({ code: 1 });
});
