import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeMailServer } from '../invites/mail-server.ts';
import { Browser } from '../sso/browser.ts';
import { ask, prove, reachableWorld, userIn } from './arrange.ts';
import { startHostileProvider } from './hostile-provider.ts';
import { now } from './openid-provider.ts';

const mail = await makeMailServer();
const { app, admin, reader, url, organizationId } = await reachableWorld({
  ...{ WORKERS: '1', SMTP_URL: mail.url, MAIL_FROM: 'docs@acme.example' },
});
const { db } = app.services;
const op = await startHostileProvider();
const { body: provider } = await admin.post(`/v1/orgs/${organizationId}/oidc`, {
  ...{ label: 'Hostile', issuer: op.issuer, clientID: 'stemma', clientSecret: 'secret' },
});

/** A new browser with the answer to a sign-in with these claims. */
async function signIn(claims: Record<string, unknown>) {
  const browser = new Browser(url);
  const started = await browser.open(provider.service.startURL);
  const { searchParams: sent } = new URL(started.headers.get('location') ?? '');
  op.claims = { nonce: sent.get('nonce'), email_verified: true, ...claims };
  const state = sent.get('state') ?? '';
  const page = await browser.follow(
    await browser.open(`${provider.service.redirectURL}?${new URLSearchParams({ code: 'code', state })}`),
  );
  return { browser, page };
}

const UNSTORABLE = ['\u0000', '\ud800', 'a\u0000b', 'a\ud800b', '\u0007'];

test.each(UNSTORABLE)('a person whose name contains %j signs in with a name that can be shown', async (name) => {
  for (const claim of ['name', 'preferred_username']) {
    const sub = randomUUID();
    const { browser, page } = await signIn({ sub, email: `${sub}@acme.example`, [claim]: name });
    expect(page.url).toBe(`${url}/account`);
    const { data } = await ask(browser, url, '{ viewer { displayName } }');
    expect(data.viewer.displayName.isWellFormed()).toBe(true);
    expect(data.viewer.displayName).not.toMatch(/\p{Cc}/u);
  }
});

test('a name is one line of at most 100 characters, also while an account is to be proved', async () => {
  const { page } = await signIn({
    sub: 'long',
    email: 'reader@acme.example',
    name: `Ada\n\u0000${'x'.repeat(10_000)}`,
  });
  expect(await page.text()).toContain('Is this your account?');
  const { subject } = await db
    .selectFrom('saml_request')
    .where('samlProviderId', '=', provider.id)
    .select('subject')
    .executeTakeFirstOrThrow();
  expect(subject?.displayName).toBe(`Ada ${'x'.repeat(96)}`);
});

test.each(UNSTORABLE)('a person whose subject, session or address contains %j is refused', async (text) => {
  for (const claims of [{ sub: text }, { sid: text }, { email: `${text}@acme.example` }]) {
    const { browser, page } = await signIn({ sub: 'eve', email: 'eve@acme.example', ...claims });
    expect([page.status, await page.text()]).toEqual([403, expect.stringMatching(/not allowed|not an email address/)]);
    expect(await userIn(browser, url)).toBeUndefined();
  }
});

test.each(UNSTORABLE)('a logout token whose subject, session or id contains %j is refused', async (text) => {
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  for (const claims of [{ sub: text }, { sid: text }, { jti: text }]) {
    const token = await op.sign({
      ...{ iss: op.issuer, aud: 'stemma', iat: now(), jti: randomUUID(), sub: 'eve', events, ...claims },
    });
    const body = new URLSearchParams({ logout_token: token });
    const answer = await fetch(provider.service.backchannelLogoutURL, { method: 'POST', body });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('without control characters')]);
  }
});

test('a stored request that PostgreSQL cannot read as JSON does not keep others from proving their account by email', async () => {
  const { browser, page } = await signIn({ sub: 'reader', email: 'reader@acme.example' });
  const html = await page.text();
  for (const [index, text] of ['\u0000', '\ud800'].entries()) {
    const subject = { issuer: op.issuer, kind: 'name-id', subject: text, email: 'x@acme.example', displayName: text };
    await db
      .insertInto('saml_request')
      .values({
        ...{ id: `planted ${index}`, organizationId, samlProviderId: provider.id, returnTo: '/account' },
        ...{ browserHash: Buffer.alloc(32), codeHash: Buffer.alloc(32), subject: JSON.stringify(subject) as never }, // JSON, as it is stored
        ...{ mailedAt: new Date().toISOString(), createdAt: new Date().toISOString() },
        expiresAt: new Date(Date.now() + 600_000).toISOString(),
      })
      .execute();
  }
  expect((await prove(browser, html, { proof: 'mail' })).status).toBe(200);
  await expect.poll(() => mail.received.length, { timeout: 20_000 }).toBe(1);
  const secret = /secret=([\w-]{43})/.exec(mail.received[0]?.text ?? '')?.[1] ?? '';
  expect((await browser.submit('/sso/link', { secret })).status).toBe(303);
  expect(await userIn(browser, url)).toBe(reader.userId);
});
