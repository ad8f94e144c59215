import { expect, test } from 'vitest';
import { makeMailServer } from '../invites/mail-server.ts';
import { scimOf } from '../scim/scim-client.ts';
import { prove, signIn, ssoWorld } from './arrange.ts';
import { Browser } from './browser.ts';

const mail = await makeMailServer();
const { app, admin, reader, editor, outsider, organizationId, url, idp, startUrl, advance } = await ssoWorld(
  { defaultRole: 'read' },
  { WORKERS: '1', SMTP_URL: mail.url, MAIL_FROM: 'docs@acme.example' },
);
const { db } = app.services;

async function linksTo(address: string, count = 1): Promise<string[]> {
  const found = () => mail.received.filter(({ to }) => to.includes(address)).map(({ text }) => text);
  await expect.poll(() => found().length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count);
  return found().map((text) => /secret=([\w-]{43})/.exec(text)?.[1] ?? '');
}

async function asked(email: string) {
  idp.signIn(email);
  const browser = new Browser(url);
  const html = await (await signIn(browser, startUrl)).text();
  return { browser, html };
}

const identitiesOf = (userId: string) =>
  db.selectFrom('sso_identity').where('userId', '=', userId).selectAll().execute();

test('link: email: a link that is mailed to the verified address proves the account, in the browser of the sign-in', async () => {
  const { browser, html } = await asked('Reader@acme.example');
  expect(html).toContain('Send a link');
  const sent = await prove(browser, html, { proof: 'mail' });
  expect([sent.status, await sent.text()]).toEqual([
    200,
    expect.stringContaining('A link was sent to Reader@acme.example'),
  ]);
  const [secret = ''] = await linksTo('reader@acme.example');
  expect(mail.received[0]?.text).toContain('signing in to Acme');
  const page = await browser.open(`/sso/link?secret=${secret}`);
  expect([page.status, await identitiesOf(reader.userId)]).toEqual([200, []]);
  // Who has the link, but has not started the sign-in, gains nothing, and does not link it by mistake.
  const other = new Browser(url);
  await other.open(startUrl);
  expect((await other.submit('/sso/link', { secret })).status).toBe(403);
  expect((await browser.submit('/sso/link', { secret: `${secret}x` })).status).toBe(403);
  expect((await browser.submit('/sso/link', { secret }, 'https://evil.example')).status).toBe(403);
  const done = await browser.submit('/sso/link', { secret });
  expect([done.status, done.headers.get('location')]).toEqual([303, '/account']);
  expect(await identitiesOf(reader.userId)).toHaveLength(1);
  expect((await browser.submit('/sso/link', { secret })).status).toBe(403);
});

test('the link ends after half an hour', async () => {
  const { browser, html } = await asked('editor@acme.example');
  await prove(browser, html, { proof: 'mail' });
  const [secret = ''] = await linksTo('editor@acme.example');
  advance(1_801_000);
  expect((await browser.submit('/sso/link', { secret })).status).toBe(403);
  expect(await identitiesOf(editor.userId)).toEqual([]);
  advance(-1_801_000);
});

test('an address gets three links within an hour, whoever asks', async () => {
  for (let count = 2; count <= 3; count++) {
    const { browser, html } = await asked('editor@acme.example');
    expect((await prove(browser, html, { proof: 'mail' })).status).toBe(200);
    await linksTo('editor@acme.example', count);
  }
  const { browser, html } = await asked('editor@acme.example');
  const refused = await prove(browser, html, { proof: 'mail' });
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('Try again in an hour')]);
});

test('sign-ins that have ended, and repeated requests of one, count', async () => {
  for (let count = 1; count <= 3; count++) {
    idp.signIn('creator@acme.example', 'Creator', `creator ${count}`);
    const browser = new Browser(url);
    const html = await (await signIn(browser, startUrl)).text();
    expect((await prove(browser, html, { proof: 'mail' })).status).toBe(200);
    // Ends the sign-in with an account of its own.
    expect((await prove(browser, html, { proof: 'new' })).status).toBe(303);
  }
  const [creator, commenter] = [await asked('creator@acme.example'), await asked('commenter@acme.example')];
  expect((await prove(creator.browser, creator.html, { proof: 'mail' })).status).toBe(403);
  const statuses: number[] = [];
  for (let count = 1; count <= 4; count++)
    statuses.push((await prove(commenter.browser, commenter.html, { proof: 'mail' })).status);
  expect(statuses).toEqual([200, 200, 200, 403]);
});

test('the link proves nothing if the address has become that of another member meanwhile', async () => {
  const { browser, html } = await asked('outsider@globex.example');
  await prove(browser, html, { proof: 'mail' });
  const [secret = ''] = await linksTo('outsider@globex.example');
  const member = await (await scimOf(admin, organizationId)).user('outsider@globex.example');
  await db.updateTable('user').set({ email: 'other@home.example' }).where('id', '=', member.id).execute();
  const refused = await browser.submit('/sso/link', { secret });
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('has changed. Sign in again')]);
  expect([await identitiesOf(outsider.userId), await identitiesOf(member.id)]).toEqual([[], []]);
});
