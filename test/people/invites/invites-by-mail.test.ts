import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { Client } from '../../client.ts';
import { world } from '../../world.ts';
import { Browser } from '../sso/browser.ts';
import { freePort } from '../sso/identity-provider.ts';
import { makeMailServer } from './mail-server.ts';

const mail = await makeMailServer();
const port = await freePort();
const { app, url, admin, anonymous, reader, outsider, organizationId, advance } = await world({
  WORKERS: '1',
  PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  SMTP_URL: mail.url,
  MAIL_FROM: 'docs@acme.example',
});

const invites = `/v1/orgs/${organizationId}/invites`;
const mailTo = async (address: string) => {
  await expect.poll(() => mail.received.some(({ to }) => to.includes(address)), { timeout: 20_000 }).toBe(true);
  return mail.received.filter(({ to }) => to.includes(address));
};
/** A pending invitation. */
interface Item {
  email: string;
}

const linkIn = (text: string) => {
  const [, inviteId = '', secret = ''] = /\/invite#(emailinvite_\w+)\.([\w-]+)/.exec(text) ?? [];
  return { inviteId, secret };
};

test('make: invitation by email: sends the link, which creates an account with a verified address', async () => {
  const { body } = await admin.restAs(
    'inviteUsersToOrganization',
    'POST',
    invites,
    { emails: ['grace@acme.example'], role: 'edit' },
    { beyond: true },
  );
  expect(body).toMatchObject({ users: [], invited: 1, failedSSOEmails: [] });
  const [received] = await mailTo('grace@acme.example');
  expect(received?.from).toBe('docs@acme.example');
  expect(received?.text).toMatch(/^Subject: Invitation to Acme\r$/m);
  expect(received?.text).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(received?.text).toContain('Admin (admin@acme.example) has invited you');
  // Nobody but the recipient has the link.
  await expect.poll(async () => (await admin.get(invites)).body.items[0]?.sentAt).toBeDefined();
  expect((await admin.get(invites)).body.items[0]).not.toHaveProperty('url');
  const { inviteId, secret } = linkIn(received?.text ?? '');
  const accepted = await anonymous.post(`/v1/invites/${inviteId}/accept`, { secret, displayName: 'Grace' });
  expect(accepted.body).toEqual({
    organization: organizationId,
    user: expect.stringMatching(/^user_/),
    secret: expect.stringMatching(/^stemma_/),
  });
  const grace = new Client(url, accepted.body.secret, accepted.body.user);
  expect((await grace.get('/v1/user')).body).toMatchObject({ displayName: 'Grace', email: 'grace@acme.example' });
  expect((await admin.get(`/v1/orgs/${organizationId}/members/${grace.userId}`)).body.role).toBe('edit');
  const user = await app.services.db
    .selectFrom('user')
    .where('id', '=', grace.userId)
    .selectAll()
    .executeTakeFirstOrThrow();
  expect(user.email).toBe('grace@acme.example');
  expect((await anonymous.post(`/v1/invites/${inviteId}/accept`, { secret })).status).toBe(404);
});

/** Opens the link of an invitation and confirms it, as the script of its page does. */
async function confirm(browser: Browser, text: string, displayName = '', origin?: string) {
  const [link = ''] = /http\S+\/invite#\S+/.exec(text) ?? [];
  expect((await browser.open(link)).status).toBe(200);
  const { inviteId, secret } = linkIn(text);
  return browser.submit('/invite', { inviteId, secret, displayName }, origin);
}

test('opening the link and confirming it signs a new user in, with a verified address', async () => {
  await admin.post(invites, { emails: [{ email: 'ivy@acme.example', role: 'review' }] });
  const [received] = await mailTo('ivy@acme.example');
  const text = received?.text ?? '';
  const browser = new Browser(url);
  const foreign = await confirm(browser, text, 'Mallory', 'https://evil.example');
  expect([foreign.status, browser.cookie('stemma_session')]).toEqual([403, undefined]);
  const confirmed = await confirm(browser, text, 'Ivy');
  expect([confirmed.status, await confirmed.json()]).toEqual([200, { isSignedIn: true }]);
  expect(confirmed.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/);
  const account = await (await browser.open('/account')).text();
  expect(account).toContain('<h1>Ivy</h1>');
  expect(account).toContain('Then sign in by email.');
  const cookie = `stemma_session=${browser.cookie('stemma_session')}`;
  const { body } = await anonymous.send(
    'POST',
    '/graphql',
    JSON.stringify({ query: '{ viewer { email organizations { nodes { id } } } }' }),
    { cookie, origin: url },
  );
  expect(body.data.viewer).toEqual({ email: 'ivy@acme.example', organizations: { nodes: [{ id: organizationId }] } });
  const user = await app.services.db
    .selectFrom('user')
    .where('email', '=', 'ivy@acme.example')
    .selectAll()
    .executeTakeFirstOrThrow();
  const member = await admin.get(`/v1/orgs/${organizationId}/members/${user.id}`);
  expect(member.body).toMatchObject({ role: 'review' });
  const started = await app.services.db
    .selectFrom('event')
    .where('kind', '=', 'session_started')
    .where('organizationId', 'is', null)
    .selectAll()
    .execute();
  expect(started.map(({ actorId }) => actorId)).toEqual([user.id]);
  // The link works once.
  expect((await confirm(new Browser(url), text)).status).toBe(404);
  // The token that the page asks for opens the same account when the session has ended.
  const made = await browser.submit('/account/tokens', { label: 'Laptop', days: '' });
  const [token = ''] = /stemma_[\w-]+/.exec(await made.text()) ?? [];
  expect((await new Client(url, token).get('/v1/user')).body.id).toBe(user.id);
});

test('link: invitation that was sent: users with an account get no session from a link', async () => {
  await admin.post(invites, { emails: ['zoe@acme.example'] });
  const [received] = await mailTo('zoe@acme.example');
  const { db } = app.services;
  await db.updateTable('user').set({ email: 'zoe@acme.example' }).where('id', '=', outsider.userId).execute();
  const browser = new Browser(url);
  const confirmed = await confirm(browser, received?.text ?? '');
  expect([confirmed.status, await confirmed.json()]).toEqual([200, { isSignedIn: false }]);
  expect(browser.cookie('stemma_session')).toBeUndefined();
  expect((await outsider.get(`/v1/orgs/${organizationId}`)).status).toBe(200);
});

/** Waits until all emails are sent that are to be sent. */
async function sent() {
  const { boss } = app.services.jobs;
  const waiting = async () => {
    const jobs = await Promise.all(['send-invite', 'send-member-notice'].map((name) => boss.findJobs(name, {})));
    return jobs.flat().filter(({ state }) => state !== 'completed').length;
  };
  await expect.poll(waiting, { timeout: 20_000 }).toBe(0);
}

const HOUR_MS = 3_600_000;

test('inviting an address again after an hour sends another link, and the former one no longer works', async () => {
  const email = 'twice@acme.example';
  await admin.post(invites, { emails: [email] });
  const [first] = await mailTo(email);
  await sent();
  advance(HOUR_MS + 1_000);
  await admin.post(invites, { emails: [email] });
  await expect.poll(async () => (await mailTo(email)).length, { timeout: 20_000 }).toBe(2);
  const { inviteId, secret } = linkIn(first?.text ?? '');
  expect((await anonymous.post(`/v1/invites/${inviteId}/accept`, { secret })).status).toBe(404);
  const second = linkIn((await mailTo(email))[1]?.text ?? '');
  expect((await anonymous.post(`/v1/invites/${second.inviteId}/accept`, { secret: second.secret })).status).toBe(200);
});

test('an address that is invited again within an hour gets no second email, and its link works', async () => {
  const email = 'often@acme.example';
  const pending = async () => (await admin.get(invites)).body.items.filter((item: Item) => item.email === email);
  await admin.post(invites, { emails: [email], role: 'read' });
  const [received] = await mailTo(email);
  await sent();
  expect((await admin.post(invites, { emails: ['OFTEN@acme.example'], role: 'edit' })).body).toMatchObject({
    invited: 1,
    invites: [{ email, role: 'edit', sentAt: expect.any(String) }],
  });
  const { inviteId, secret } = linkIn(received?.text ?? '');
  const accept = () => anonymous.post(`/v1/invites/${inviteId}/accept`, { secret });
  // Neither is it sent again after it was withdrawn.
  expect((await admin.delete(`${invites}/${inviteId}`)).status).toBe(204);
  expect([await pending(), (await accept()).status]).toEqual([[], 404]);
  expect(await admin.mutate('deleteInvite', { inviteId }, 'deletedId')).toEqual({ deletedId: null });
  await admin.post(invites, { emails: [email], role: 'comment' });
  expect(await pending()).toMatchObject([{ id: inviteId, role: 'comment' }]);
  await sent();
  expect(await mailTo(email)).toHaveLength(1);
  const { status, body } = await accept();
  expect(status).toBe(200);
  expect((await admin.get(`/v1/orgs/${organizationId}/members/${body.user}`)).body.role).toBe('comment');
});

test('an invitation whose email could not be sent is sent when the address is invited again', async () => {
  const email = 'unsent@acme.example';
  await admin.post(invites, { emails: [email] });
  await mailTo(email);
  await sent();
  // As if all attempts had failed.
  await app.services.db.updateTable('email_invite').set({ sentAt: null }).where('email', '=', email).execute();
  await admin.post(invites, { emails: [email] });
  await expect.poll(async () => (await mailTo(email)).length, { timeout: 20_000 }).toBe(2);
});

test('people with an account are told when they become members by an invitation, and where to sign in', async () => {
  const { db } = app.services;
  const email = 'member@acme.example';
  await db.updateTable('user').set({ email }).where('id', '=', reader.userId).execute();
  const invite = async () => {
    expect((await admin.post(invites, { emails: [email] })).body).toMatchObject({ invited: 0 });
    await sent();
    return mail.received.filter(({ to }) => to.includes(email)).length;
  };
  const leave = () => admin.delete(`/v1/orgs/${organizationId}/members/${reader.userId}`);
  expect(await invite()).toBe(0);
  await leave();
  expect([await invite(), await invite()]).toEqual([1, 1]);
  await leave();
  expect(await invite()).toBe(1);
  advance(HOUR_MS + 1_000);
  await leave();
  expect(await invite()).toBe(2);
  const [received] = await mailTo(email);
  expect(received?.text).toContain('Admin (admin@acme.example) has invited you to Acme');
  expect(received?.text).toContain(`${url}/account`);
});

test('an email has the same text and links in HTML, escaped', async () => {
  const { db } = app.services;
  const displayName = '<b>Eve</b> & "http://evil.example"';
  const rename = (name: string) =>
    db.updateTable('user').set({ displayName: name }).where('id', '=', admin.userId).execute();
  await rename(displayName);
  await admin.post(invites, { emails: ['html@acme.example'] });
  const [received] = await mailTo('html@acme.example');
  await rename('Admin');
  const text = received?.text ?? '';
  expect(text).toMatch(/Content-Type: multipart\/alternative/);
  expect(text).toContain(`${displayName} (admin@acme.example) has invited you`);
  expect(text).toContain(
    '&lt;b&gt;Eve&lt;/b&gt; &amp; &quot;http://evil.example&quot; (admin@acme.example) has invited you',
  );
  const links = [...text.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)];
  const [link] = /^http\S+\/invite#\S+/m.exec(text) ?? [];
  expect(links.map(([, href, shown]) => [href, shown])).toEqual([[link, link]]);
});

test('a mail server that is busy gets the email later, once', async () => {
  mail.isBusy = true;
  await admin.post(invites, { emails: ['later@acme.example'] });
  const { boss } = app.services.jobs;
  const failed = async () =>
    (await boss.findJobs('send-invite', {})).some(({ retryCount, state }) => state === 'retry' || retryCount > 0);
  await expect.poll(failed, { timeout: 20_000 }).toBe(true);
  mail.isBusy = false;
  // Not to wait for the time of the second attempt.
  await sql`update pgboss.job set start_after = now() where name = 'send-invite' and state = 'retry'`.execute(
    app.services.db,
  );
  expect(await mailTo('later@acme.example')).toHaveLength(1);
});

test('a title cannot add headers or recipients', async () => {
  await admin.patch(`/v1/orgs/${organizationId}`, { title: 'Acme, Inc. <x@evil.example>' });
  await admin.post(invites, { emails: ['safe@acme.example'] });
  const [received] = await mailTo('safe@acme.example');
  expect(received?.to).toEqual(['safe@acme.example']);
  expect(received?.text).toMatch(/^To: safe@acme.example\r$/m);
  expect((await admin.post(invites, { emails: ['a@acme.example, b@evil.example'] })).status).toBe(400);
  expect((await admin.post(invites, { emails: ['a@acme.example\r\nBcc: b@evil.example'] })).status).toBe(400);
});

test('rename: by an invitation: a claimed address is verified by an invitation that was sent to it', async () => {
  const email = 'claimed@acme.example';
  await outsider.patch(`/v1/users/${outsider.userId}`, { email });
  await admin.post(invites, { emails: [email] });
  const invitation = async () =>
    (await mailTo(email)).map(({ text }) => linkIn(text)).find(({ secret }) => secret !== '');
  await expect.poll(async () => (await invitation())?.secret, { timeout: 20_000 }).toBeDefined();
  await expect
    .poll(
      async () => (await admin.get(invites)).body.items.find((item: { email: string }) => item.email === email)?.sentAt,
    )
    .toBeDefined();
  const { inviteId = '', secret = '' } = (await invitation()) ?? {};
  expect((await outsider.post(`/v1/invites/${inviteId}/accept`, { secret })).status).toBe(200);
  const { body } = await outsider.get('/v1/user');
  expect([body.email, body.unverifiedEmail]).toEqual([email, undefined]);
});
