import { expect, test } from 'vitest';
import { makeSignInLink } from '../../../src/domain/people/sessions/index.ts';
import { sendSignInEmail } from '../../../src/domain/people/sessions/send-sign-in-email.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { makeMailServer } from '../invites/mail-server.ts';
import { Authenticator } from '../passkeys/authenticator.ts';
import { prove, signIn, ssoWorld } from './arrange.ts';
import { Browser } from './browser.ts';
import { freePort } from './identity-provider.ts';

const mail = await makeMailServer();
const port = await freePort();
const made = await ssoWorld(
  { defaultRole: 'read' },
  {
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    SMTP_URL: mail.url,
    MAIL_FROM: 'docs@acme.example',
  },
);
const { app, reader, anonymous, organizationId, idp, startUrl } = made;
const url = app.services.config.publicUrl;
const { db } = app.services;

const get = (browser: Browser, path: string) =>
  anonymous.send('GET', path, undefined, { cookie: `stemma_session=${browser.cookie('stemma_session')}`, origin: url });

/** A browser that the reader signs in by email. */
async function byEmail(): Promise<Browser> {
  const browser = new Browser(url);
  await browser.submit('/account/email', { email: 'reader@acme.example', next: '' });
  const { id } = await db
    .selectFrom('sign_in_request')
    .where('usedAt', 'is', null)
    .select('id')
    .executeTakeFirstOrThrow();
  const run = { signal: new AbortController().signal, retries: 0 };
  await sendSignInEmail.run(jobContext(app.services, 'test'), { signInRequestId: id }, run);
  const code = /^(\d{6})\r?$/m.exec(mail.received.at(-1)?.text ?? '')?.[1] ?? '';
  expect((await browser.submit('/account/email-code', { code })).status).toBe(303);
  return browser;
}

async function byPasskey(): Promise<Browser> {
  const authenticator = new Authenticator(url);
  const own = await byToken();
  const options = await (await own.sendJson('/account/passkeys/options', {})).json();
  const credential = authenticator.create(options);
  expect((await own.sendJson('/account/passkeys', { credential })).status).toBe(201);
  const browser = new Browser(url);
  const asked = await (await browser.sendJson('/account/passkey-sign-in/options', {})).json();
  expect((await browser.sendJson('/account/passkey-sign-in', { credential: authenticator.get(asked) })).status).toBe(
    200,
  );
  return browser;
}

async function bySingleSignOn(): Promise<Browser> {
  idp.signIn('reader@acme.example', 'Reader');
  const browser = new Browser(url);
  const page = await signIn(browser, startUrl);
  // The first time, the account is proved.
  const html = await page.text();
  if (html.includes('name="proof"')) await prove(browser, html, { proof: 'token', token: reader.token ?? '' });
  return browser;
}

async function byToken(): Promise<Browser> {
  const browser = new Browser(url);
  expect((await browser.submit('/app/sign-in', { token: reader.token ?? '' })).status).toBe(303);
  return browser;
}

async function byLink(): Promise<Browser> {
  const browser = new Browser(url);
  const path = await makeSignInLink(db, { userId: reader.userId, now: app.services.clock() });
  const secret = new URL(path, url).searchParams.get('secret') ?? '';
  expect((await browser.submit('/account/sign-in-link', { secret })).status).toBe(303);
  return browser;
}

test('no way to sign in but SSO passes an organization that requires it', async () => {
  const browsers = [await byEmail(), await byPasskey(), await byToken(), await byLink()];
  for (const browser of browsers) expect((await get(browser, `/v1/orgs/${organizationId}`)).status).toBe(200);
  const bySso = await bySingleSignOn();
  await db.updateTable('organization').set({ sso: true }).where('id', '=', organizationId).execute();
  const later = [...browsers, await byEmail(), await byPasskey(), await byToken(), await byLink()];
  for (const browser of later) {
    const { status, body } = await get(browser, `/v1/orgs/${organizationId}`);
    expect([status, body.error?.message]).toEqual([403, expect.stringMatching(/requires SSO/)]);
    expect((await get(browser, '/v1/orgs')).body.items).toEqual([]);
  }
  expect((await get(bySso, `/v1/orgs/${organizationId}`)).status).toBe(200);
  await db.updateTable('organization').set({ sso: false }).where('id', '=', organizationId).execute();
});

test('a session of SSO has no passkeys, and sees and ends only sessions of its provider', async () => {
  const own = await byToken();
  const bySso = await bySingleSignOn();
  expect((await bySso.sendJson('/account/passkeys/options', {})).status).toBe(403);
  expect((await bySso.sendJson('/account/passkeys', { credential: {} })).status).toBe(403);
  expect((await get(bySso, '/v1/user/passkeys')).status).toBe(403);
  const { items } = (await get(bySso, '/v1/user/sessions')).body;
  expect(items.some(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toBe(true);
  const all = (await get(own, '/v1/user/sessions')).body.items;
  expect(all.length).toBeGreaterThan(items.length);
  const current = all.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
  await bySso.submit('/account/sessions/end', { sessionId: current.id });
  expect((await get(own, '/v1/user')).status).toBe(200);
  const page = await (await bySso.open('/account')).text();
  expect(page).not.toContain('id="passkeys"');
  expect(page).not.toContain('action="/account/email-address"');
});
