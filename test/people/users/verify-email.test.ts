import { expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import { Client } from '../../client.ts';
import { world } from '../../world.ts';
import { makeMailServer } from '../invites/mail-server.ts';
import { Browser } from '../sso/browser.ts';
import { freePort } from '../sso/identity-provider.ts';

const mail = await makeMailServer();
const port = await freePort();
const { app, url, admin, creator, reviewer, editor, commenter, reader, guest, outsider, anonymous, advance } =
  await world({
    WORKERS: '1',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SMTP_URL: mail.url,
    MAIL_FROM: 'docs@acme.example',
  });
const { db } = app.services;

const PATIENCE = { timeout: 20_000 };

/** The emails to an address, once there are so many. */
async function mailsTo(address: string, count = 1): Promise<string[]> {
  const found = () => mail.received.filter(({ to }) => to.includes(address)).map(({ text }) => text);
  await expect.poll(() => found().length, PATIENCE).toBeGreaterThanOrEqual(count);
  return found();
}

const secretIn = (text = '') => /\/account\/verify-email\?secret=([\w-]{43})/.exec(text)?.[1] ?? '';

/** Claims an address and answers the secret that is sent to it. */
async function claim(by: Client, email: string): Promise<string> {
  const before = mail.received.filter(({ to }) => to.includes(email)).length;
  const { status, body } = await by.patch(`/v1/users/${by.userId}`, { email });
  expect([status, body.unverifiedEmail, body.emailVerification]).toEqual([200, email, 'sent']);
  return secretIn((await mailsTo(email, before + 1)).at(-1));
}

const verify = (by: Client, secret: string) => by.post('/v1/user/email/verify', { secret });

test('rename: with a mail server: the link in an email to the new address verifies it once, and the old address is told twice', async () => {
  const secret = await claim(creator, 'new@acme.example');
  const [text] = await mailsTo('new@acme.example');
  expect(text).toMatch(/^Subject: Confirm your email address\r$/m);
  expect(text).toContain('The account "Creator"');
  expect((await creator.get('/v1/user')).body.email).toBe('creator@acme.example');
  const stored = await db.selectFrom('email_verification').selectAll().executeTakeFirstOrThrow();
  expect(JSON.stringify(stored)).not.toContain(secret);
  const { status, body } = await verify(creator, secret);
  expect([status, body.email, body.unverifiedEmail]).toEqual([200, 'new@acme.example', undefined]);
  const [asked, changed] = await mailsTo('creator@acme.example', 2);
  expect(asked).toMatch(/^Subject: A new email address was requested/m);
  expect(changed).toMatch(/^Subject: The email address of your account has changed/m);
  // Neither says which one it is.
  expect(`${asked}${changed}`).not.toContain('new@acme.example');
  const again = await verify(creator, secret);
  expect([again.status, again.body.error.message]).toEqual([404, expect.stringContaining('used or replaced')]);
  const kinds = await db.selectFrom('event').where('actorId', '=', creator.userId).select(['kind', 'ids']).execute();
  for (const kind of ['user_email_requested', 'user_email_verified'] as const) {
    expect(kinds).toContainEqual({ kind, ids: { userId: creator.userId } });
  }
});

test('works by the graph, and reads back by both transports', async () => {
  const secret = await claim(reviewer, 'graph@acme.example');
  const { user } = await reviewer.mutate(
    'verifyEmail',
    { secret },
    'user { id email unverifiedEmail emailVerification }',
  );
  expect(user).toEqual({
    id: reviewer.userId,
    email: 'graph@acme.example',
    unverifiedEmail: null,
    emailVerification: null,
  });
  expect((await reviewer.get('/v1/user')).body.email).toBe('graph@acme.example');
});

test('the secret is of no use to another account, without a token, or wrong', async () => {
  const secret = await claim(editor, 'mine@acme.example');
  expect((await verify(outsider, secret)).status).toBe(404);
  expect((await verify(anonymous, secret)).status).toBe(401);
  expect((await verify(editor, `${secret}x`)).status).toBe(404);
  expect((await verify(editor, '')).status).toBe(400);
  await expect(outsider.mutate('verifyEmail', { secret }, 'user { id }')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(anonymous.mutate('verifyEmail', { secret }, 'user { id }')).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  });
  expect((await verify(editor, secret)).status).toBe(200);
});

test('another claim makes the former link useless, and a link ends after a day', async () => {
  const [first, second] = [await claim(commenter, 'first@acme.example'), await claim(commenter, 'second@acme.example')];
  expect((await verify(commenter, first)).status).toBe(404);
  advance(24 * 3_600_000 + 1_000);
  expect((await verify(commenter, second)).status).toBe(404);
  const third = await claim(commenter, 'second@acme.example');
  expect((await verify(commenter, third)).body.email).toBe('second@acme.example');
});

test('rename: taken meanwhile: of two accounts that verify one address at the same time, one gets it', async () => {
  const secrets = [await claim(reader, 'shared@acme.example'), await claim(outsider, 'shared@acme.example')];
  const answers = await Promise.all([verify(reader, secrets[0] ?? ''), verify(outsider, secrets[1] ?? '')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.body.error).toMatchObject({
    code: 409,
    message: 'Another account has this verified email address.',
  });
  const rows = await db.selectFrom('user').where('email', '=', 'shared@acme.example').select('id').execute();
  expect(rows).toHaveLength(1);
});

test('an SSO session verifies nothing for the account', async () => {
  const secret = await claim(guest, 'sso@acme.example');
  const [id, samlProviderId, token] = [newId('token'), newId('saml'), 'stemma_of_sso'];
  const member = await db.selectFrom('membership').where('userId', '=', guest.userId).selectAll().executeTakeFirst();
  await db
    .insertInto('saml_provider')
    .values({ id: samlProviderId, organizationId: member?.organizationId ?? '', label: 'Okta' })
    .execute();
  const { hashToken } = await import('../../../src/platform/access/credentials.ts');
  await db
    .insertInto('api_token')
    .values({ id, userId: guest.userId, label: '', secretHash: hashToken(token), samlProviderId })
    .execute();
  const bySso = new Client(url, token, guest.userId);
  expect((await verify(bySso, secret)).status).toBe(403);
  // It does not see the claim either.
  expect((await bySso.get('/v1/user')).body).not.toHaveProperty('unverifiedEmail');
  expect((await guest.get('/v1/user')).body.unverifiedEmail).toBe('sso@acme.example');
});

test('the page of the link changes nothing when it is opened, and asks for the account', async () => {
  const secret = await claim(admin, 'admin@new.example').catch(() => '');
  // The administrator is an operator, whose own address needs no link.
  expect(secret).toBe('');
  const own = await claim(guest, 'page@acme.example');
  const browser = new Browser(url);
  const page = await browser.open(`/account/verify-email?secret=${own}`);
  const html = await page.text();
  expect([page.status, page.headers.get('referrer-policy')]).toEqual([200, 'same-origin']);
  expect(html).toMatch(/<form[^>]* method="post" action="\/account\/verify-email">/);
  expect((await guest.get('/v1/user')).body.email).toBe('guest@acme.example');
  const send = (fields: object, origin?: string) =>
    browser.submit('/account/verify-email', { secret: own, ...fields }, origin);
  expect((await send({ token: guest.token }, 'https://evil.example')).status).toBe(403);
  expect((await send({ token: 'stemma_nonsense' })).status).toBe(401);
  expect((await send({ token: outsider.token })).status).toBe(404);
  const done = await send({ token: guest.token });
  expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('is confirmed')]);
  expect((await guest.get('/v1/user')).body.email).toBe('page@acme.example');
});

test('a mail server that is busy gets the link later', async () => {
  mail.isBusy = true;
  await editor.patch(`/v1/users/${editor.userId}`, { email: 'busy@acme.example' });
  const { boss } = app.services.jobs;
  await expect
    .poll(async () => (await boss.findJobs('send-email-verification')).some(({ state }) => state === 'retry'), PATIENCE)
    .toBe(true);
  mail.isBusy = false;
  expect((await verify(editor, secretIn((await mailsTo('busy@acme.example')).at(-1)))).status).toBe(200);
});
