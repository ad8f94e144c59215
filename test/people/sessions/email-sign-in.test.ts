import { beforeEach, expect, test } from 'vitest';
import { removeExpiredSessions } from '../../../src/domain/people/sessions/remove-expired-sessions.ts';
import { sendSignInEmail } from '../../../src/domain/people/sessions/send-sign-in-email.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { world } from '../../world.ts';
import { makeMailServer } from '../invites/mail-server.ts';
import { Browser } from '../sso/browser.ts';
import { freePort } from '../sso/identity-provider.ts';

const mail = await makeMailServer();
const port = await freePort();
const made = await world({
  PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  SMTP_URL: mail.url,
  MAIL_FROM: 'docs@acme.example',
});
const { url, reader, editor, admin, app, advance } = made;
const { db } = app.services;

const UNUSABLE =
  'This code or link is wrong, was already used or replaced, has expired, or was asked for in another browser.';

beforeEach(async () => {
  await db.deleteFrom('sign_in_request').execute();
  mail.received.length = 0;
});

const ask = (browser: Browser, email: string, next = '') => browser.submit('/account/email', { email, next });

/** Runs the jobs that wait, as a worker does, and returns the emails that they send. */
async function sent(): Promise<{ to: string[]; text: string; code: string; secret: string }[]> {
  mail.received.length = 0;
  const waiting = await db
    .selectFrom('sign_in_request')
    .where('sentAt', 'is', null)
    .orderBy('createdAt')
    .select('id')
    .execute();
  for (const { id } of waiting) await send(id);
  return mail.received.map(({ to, text }) => ({
    to,
    text,
    code: /^(\d{6})\r?$/m.exec(text)?.[1] ?? '',
    secret: /email-link\?secret=([\w-]{43})/.exec(text)?.[1] ?? '',
  }));
}

const send = (signInRequestId: string) =>
  sendSignInEmail.run(
    jobContext(app.services, 'test'),
    { signInRequestId },
    {
      signal: new AbortController().signal,
      retries: 0,
    },
  );

/** A browser that has asked for an email, and what was sent to it. */
async function asked(email: string) {
  const browser = new Browser(url);
  expect((await ask(browser, email)).status).toBe(303);
  const [message] = await sent();
  if (!message) throw new Error(`Nothing was sent to ${email}.`);
  return { browser, ...message };
}

const enterCode = (browser: Browser, code: string) => browser.submit('/account/email-code', { code });
const openLink = (browser: Browser, secret: string) => browser.submit('/account/email-link', { secret });
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

async function expectRefused(response: Response, browser: Browser): Promise<void> {
  expect([response.status, browser.cookie('stemma_session')]).toEqual([404, undefined]);
  expect(await response.text()).toContain(UNUSABLE);
}

test('find: code by email: it signs in the browser that asked for it, once', async () => {
  const browser = new Browser(url);
  const page = await (await browser.open('/account')).text();
  expect(page).toContain('action="/account/email"');
  const response = await ask(browser, ' Reader@ACME.example ', '/app/spaces/x?a=b');
  expect([response.status, response.headers.get('location')]).toEqual([303, '/account/email-code']);
  expect(await (await browser.open('/account/email-code')).text()).toContain('reader@acme.example');
  const [message] = await sent();
  expect(message?.to).toEqual(['reader@acme.example']);
  expect(message?.text).toMatch(/^Subject: Sign in to your account\r$/m);
  const code = message?.code ?? '';
  const done = await enterCode(browser, ` ${code.slice(0, 3)} ${code.slice(3)} `);
  expect([done.status, done.headers.get('location')]).toEqual([303, '/app/spaces/x?a=b']);
  expect(done.headers.get('set-cookie')).toMatch(/^stemma_session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly/);
  expect(await (await browser.open('/account')).text()).toContain('<h1>Reader</h1>');
  expect((await enterCode(browser, code)).status).toBe(404);
  const kinds = await db.selectFrom('event').where('actorId', '=', reader.userId).select('kind').execute();
  expect(kinds.map(({ kind }) => kind)).toContain('session_started');
});

test('find: link by email: its page has a button, and opening it changes nothing', async () => {
  const { browser, secret } = await asked('reader@acme.example');
  for (const _ of [1, 2, 3, 4, 5, 6]) {
    const page = await (await browser.open(`/account/email-link?secret=${secret}`)).text();
    expect(page).toContain('action="/account/email-link"');
  }
  expect(browser.cookie('stemma_session')).toBeUndefined();
  const done = await openLink(browser, secret);
  expect([done.status, done.headers.get('location')]).toEqual([303, '/app']);
  expect(await (await browser.open('/account')).text()).toContain('<h1>Reader</h1>');
  browser.setCookie('stemma_session', '');
  expect((await openLink(browser, secret)).status).toBe(404);
});

test('in another browser, the link does not sign in, and its page says where to enter the code', async () => {
  const { browser, secret, code } = await asked('reader@acme.example');
  const other = new Browser(url);
  const strangers = [other, (await asked('editor@acme.example')).browser];
  for (const stranger of strangers) {
    const page = await (await stranger.open(`/account/email-link?secret=${secret}`)).text();
    expect(page).toContain('Enter the code from the email in the browser where you have started');
    expect(page).not.toContain('reader');
    await expectRefused(await openLink(stranger, secret), stranger);
    await expectRefused(await enterCode(stranger, code), stranger);
  }
  expect((await enterCode(browser, code)).status).toBe(303);
});

test('five wrong codes end the code, and five wrong links the link, but not each other', async () => {
  const first = await asked('reader@acme.example');
  for (const _ of [1, 2, 3, 4, 5])
    await expectRefused(await enterCode(first.browser, wrong(first.code)), first.browser);
  await expectRefused(await enterCode(first.browser, first.code), first.browser);
  expect((await openLink(first.browser, first.secret)).status).toBe(303);

  const second = await asked('reader@acme.example');
  for (const _ of [1, 2, 3, 4, 5]) await expectRefused(await openLink(second.browser, first.secret), second.browser);
  await expectRefused(await openLink(second.browser, second.secret), second.browser);
  expect((await enterCode(second.browser, second.code)).status).toBe(303);
});

test.each(['', '12345', '1234567', '１２３４５６', 'abcdef', '0x1234', '9'.repeat(10_000), '-12345', '1e5'])(
  '%j is no code, and is not counted as a guess',
  async (given) => {
    const { browser, code } = await asked('reader@acme.example');
    for (const _ of [1, 2, 3, 4, 5, 6]) await expectRefused(await enterCode(browser, given), browser);
    expect((await enterCode(browser, code)).status).toBe(303);
  },
);

test('code and link expire after fifteen minutes', async () => {
  const { browser, code, secret } = await asked('reader@acme.example');
  advance(900_500);
  await expectRefused(await enterCode(browser, code), browser);
  await expectRefused(await openLink(browser, secret), browser);
  advance(-900_500);
});

test('a later email of the same browser replaces the earlier one', async () => {
  const { browser, code, secret } = await asked('reader@acme.example');
  advance(1_000);
  await ask(browser, 'editor@acme.example');
  const [second] = await sent();
  await expectRefused(await openLink(browser, secret), browser);
  if (code !== second?.code) await expectRefused(await enterCode(browser, code), browser);
  expect((await enterCode(browser, second?.code ?? '')).status).toBe(303);
  expect(await (await browser.open('/account')).text()).toContain('<h1>Editor</h1>');
  advance(-1_000);
});

test('the answer is the same whether or not an account has the address, and nothing is sent for a claimed one', async () => {
  await reader.patch(`/v1/users/${reader.userId}`, { email: 'claimed@acme.example' });
  mail.received.length = 0;
  const pages = new Set<string>();
  for (const email of ['reader@acme.example', 'nobody@acme.example', 'claimed@acme.example']) {
    const browser = new Browser(url);
    const { status, headers } = await ask(browser, email);
    const shown = await (await browser.open('/account/email-code')).text();
    const cookie = (headers.get('set-cookie') ?? '').replace(/=[\w-]{43};/, '=…;');
    const refused = await enterCode(browser, '123456');
    pages.add(
      JSON.stringify([status, headers.get('location'), cookie, shown, refused.status, await refused.text()]).replaceAll(
        email,
        '…',
      ),
    );
  }
  expect(pages.size).toBe(1);
  expect((await sent()).map(({ to }) => to)).toEqual([['reader@acme.example']]);
});

test('what a request does before it answers does not depend on the address', async () => {
  const statements = async (email: string) => {
    const { headers } = await ask(new Browser(url), email);
    return /desc="(\d+)"/.exec(headers.get('server-timing') ?? '')?.[1];
  };
  expect(await statements('reader@acme.example')).toBe(await statements('nobody@acme.example'));
});

test.each([
  'reader@аcme.example', // a Cyrillic letter
  'reader@acme.example\u200b',
  '\u212aeader@acme.example', // the sign of kelvin, whose lowercase is k
  'reader@acme．example',
  'reader@acme.example, admin@acme.example',
  '"reader"@acme.example',
  'reader',
  '',
  `${'a'.repeat(250)}@acme.example`,
])('%j is not an address that an account can have, and is refused', async (email) => {
  const browser = new Browser(url);
  const response = await ask(browser, email);
  expect([response.status, browser.cookie('stemma_sign_in')]).toEqual([400, undefined]);
  expect(await response.text()).toContain('<p role="alert">The email address must be');
  expect(await db.selectFrom('sign_in_request').selectAll().execute()).toEqual([]);
});

test('an account whose address has changed meanwhile is not signed in', async () => {
  const { browser, code } = await asked('editor@acme.example');
  const rename = (email: string) => admin.patch(`/v1/users/${editor.userId}`, { email });
  expect((await rename('editor2@acme.example')).status).toBe(200);
  await expectRefused(await enterCode(browser, code), browser);
  await rename('editor@acme.example');
});

test('an account gets five emails an hour and twenty a day, and the page does not tell when that is reached', async () => {
  for (let hour = 0; hour < 5; hour++) {
    for (let count = 0; count < 6; count++) {
      expect((await ask(new Browser(url), 'reader@acme.example')).status).toBe(303);
      expect(await sent()).toHaveLength(count < 5 && hour < 4 ? 1 : 0);
      advance(1_000);
    }
    advance(3_600_000);
  }
  advance(-5 * 3_606_000);
});

test('a network can ask sixty times an hour', async () => {
  const row = {
    email: 'x@acme.example',
    network: 'address:127.0.0.1',
    browserHash: Buffer.alloc(32),
    returnTo: '/app',
    createdAt: app.services.clock().toISOString(),
    expiresAt: app.services.clock().toISOString(),
  };
  const rows = Array.from({ length: 60 }, (_, index) => ({ ...row, id: String(index) }));
  await db.insertInto('sign_in_request').values(rows).execute();
  const response = await ask(new Browser(url), 'reader@acme.example');
  expect(response.status).toBe(429);
  expect(await response.text()).toMatch(/60 sign-ins by email were asked for from your network/);
  advance(3_601_000);
  expect((await ask(new Browser(url), 'reader@acme.example')).status).toBe(303);
  advance(-3_601_000);
});

test('nothing that is stored signs in, and rows are removed after a day', async () => {
  const { code, secret, browser } = await asked('reader@acme.example');
  const rows = JSON.stringify(await db.selectFrom('sign_in_request').selectAll().execute());
  for (const value of [code, secret, browser.cookie('stemma_sign_in') ?? '?']) expect(rows).not.toContain(`"${value}"`);
  const run = () =>
    removeExpiredSessions.run(
      jobContext(app.services, 'test'),
      {},
      { signal: new AbortController().signal, retries: 0 },
    );
  await run();
  expect(await db.selectFrom('sign_in_request').selectAll().execute()).toHaveLength(1);
  advance(86_400_500);
  await run();
  expect(await db.selectFrom('sign_in_request').selectAll().execute()).toEqual([]);
  advance(-86_400_500);
});

test('a page of another origin can neither ask for an email nor use it', async () => {
  const { browser, code, secret } = await asked('reader@acme.example');
  for (const [path, fields] of [
    ['/account/email', { email: 'reader@acme.example' }],
    ['/account/email-code', { code }],
    ['/account/email-link', { secret }],
  ] as const) {
    expect((await browser.submit(path, fields, 'https://evil.example')).status).toBe(403);
  }
  expect((await enterCode(browser, code)).status).toBe(303);
});

test('an email that could not be sent is sent with another code', async () => {
  const browser = new Browser(url);
  await ask(browser, 'reader@acme.example');
  const [{ id }] = (await db.selectFrom('sign_in_request').select('id').execute()) as [{ id: string }];
  mail.isBusy = true;
  await expect(send(id)).rejects.toThrow();
  mail.isBusy = false;
  await send(id);
  const [message] = mail.received;
  const code = /^(\d{6})\r?$/m.exec(message?.text ?? '')?.[1] ?? '';
  expect((await enterCode(browser, code)).status).toBe(303);
});

test('without a mail server, nobody is asked for an address, and the form says why', async () => {
  const without = await world({ PUBLIC_URL: 'https://docs.example.com' });
  const origin = 'https://docs.example.com';
  const page = await (await fetch(`${without.url}/account`)).text();
  expect(page).not.toContain('action="/account/email"');
  const response = await fetch(`${without.url}/account/email`, {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams({ email: 'reader@acme.example' }),
  });
  expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('no mail server')]);
});
