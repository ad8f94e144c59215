import { expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import { Client } from '../../client.ts';
import { settled } from '../../settled.ts';
import { world } from '../../world.ts';

const here = await world();
const { app, url, admin, creator, editor, reader, guest, outsider, anonymous, organizationId, advance } = here;
const { otherOrganizationId } = here;
const { db } = app.services;

const path = (id = organizationId) => `/v1/orgs/${id}/invites`;
const accept = (by: Client, { invite: id, ...body }: { invite: string; secret: string }) =>
  by.post(`/v1/invites/${id}/accept`, body);

/** Invites an address, and answers what its link contains. */
async function invite(by: Client, email: string, body: object = {}, id = organizationId) {
  expect((await by.post(path(id), { emails: [email], ...body })).body).toMatchObject({ invited: 1 });
  const { items } = (await by.get(path(id))).body;
  // biome-ignore lint/suspicious/noExplicitAny: as it came.
  const found = items.find((item: any) => item.email === email);
  const [, secret = ''] = found.url.split('.').slice(-2);
  return { invite: found.id as string, secret }; // of an invitation that was just made
}

const userWith = (email: string) => db.selectFrom('user').where('email', '=', email).selectAll().executeTakeFirst();

test('find: invitation to a verified address: users with a verified address become members at once', async () => {
  const { body } = await admin.post(path(), {
    emails: [{ email: 'OUTSIDER@globex.example', role: 'comment' }],
    role: 'read',
  });
  expect(body).toEqual({ users: [outsider.userId], invited: 0, invites: [], failedSSOEmails: [] });
  expect((await admin.get(`/v1/orgs/${organizationId}/members/${outsider.userId}`)).body.role).toBe('comment');
  // Members keep their role.
  const again = await admin.post(path(), { emails: ['outsider@globex.example', 'admin@acme.example'], role: null });
  expect(again.body).toEqual({ users: [], invited: 0, invites: [], failedSSOEmails: [] });
  expect((await admin.get(`/v1/orgs/${organizationId}/members/${outsider.userId}`)).body.role).toBe('comment');
  await admin.delete(`/v1/orgs/${organizationId}/members/${outsider.userId}`);
});

test('make: invitation by an operator without a mail server: without a mail server, admins read the link', async () => {
  const input = { organizationId, people: [{ email: 'ada@acme.example', role: 'EDIT' }] };
  const made = await admin.mutate(
    'inviteMembers',
    input,
    'users { id } refusedEmails invites { id email role expiresAt url sentAt }',
  );
  expect(made).toMatchObject({
    users: [],
    refusedEmails: [],
    invites: [{ email: 'ada@acme.example', role: 'EDIT', sentAt: null }],
  });
  const [{ id, url: link, expiresAt }] = made.invites;
  expect(Date.parse(expiresAt) - app.services.clock().getTime()).toBeGreaterThan(6.9 * 86_400_000);
  expect(link).toMatch(new RegExp(`/invite#${id}\\.[\\w-]{43}$`));
  const stored = await db.selectFrom('email_invite').where('id', '=', id).selectAll().executeTakeFirstOrThrow();
  const secret = link.split('.').at(-1);
  expect(JSON.stringify(stored)).not.toContain(secret);
  const accepted = await anonymous.mutate('acceptInvite', { inviteId: id, secret }, 'organizationId secret');
  expect(accepted.organizationId).toBe(organizationId);
  const ada = new Client(url, accepted.secret);
  const { viewer } = await ada.graphql('{ viewer { displayName email organizations { nodes { id } } } }');
  expect(viewer).toEqual({
    displayName: 'ada',
    email: 'ada@acme.example',
    organizations: { nodes: [{ id: organizationId }] },
  });
  // The word of an operator verifies the address.
  expect(await userWith('ada@acme.example')).toBeDefined();
});

test('make: invitation by an admin without a mail server: an admin who is no operator cannot verify an address that nobody proved', async () => {
  const body = await invite(outsider, 'ceo@acme.example', {}, otherOrganizationId);
  const { status, body: accepted } = await accept(anonymous, body);
  expect(status).toBe(200);
  expect(await userWith('ceo@acme.example')).toBeUndefined();
  const member = `/v1/orgs/${otherOrganizationId}/members/${accepted.user}`;
  expect((await outsider.get(member)).body).toMatchObject({ email: 'ceo@acme.example', user: { displayName: 'ceo' } });
  await admin.patch(`/v1/orgs/${organizationId}`, { emailDomains: ['acme.example'] });
  const ceo = new Client(url, accepted.secret);
  expect((await ceo.post(`/v1/orgs/${organizationId}/join`)).status).toBe(400);
});

test('a secret works once, for one invitation, for seven days', async () => {
  const [first, second] = [await invite(admin, 'one@acme.example'), await invite(admin, 'two@acme.example')];
  const wrong = [
    { ...first, secret: second.secret },
    { ...first, secret: 'x' },
    { ...first, invite: newId('emailinvite') },
    { ...first, invite: 'nonsense' },
  ];
  for (const body of wrong) {
    const answer = await accept(anonymous, body);
    expect([answer.status, answer.body.error.message]).toEqual([404, expect.stringContaining('Ask for a new one')]);
  }
  const answers = await Promise.all([accept(anonymous, first), accept(anonymous, first)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  // Inviting again replaces the link.
  const renewed = await invite(admin, 'two@acme.example');
  expect((await accept(anonymous, second)).status).toBe(404);
  advance(7 * 86_400_000 + 1_000);
  expect((await accept(anonymous, renewed)).status).toBe(404);
  expect((await admin.get(path())).body.items).toEqual([]);
});

test('link: invitation with a token: a caller with an account joins with it', async () => {
  const body = await invite(admin, 'else@acme.example', { role: 'review' });
  const answer = await accept(outsider, body);
  expect(answer.body).toEqual({ organization: organizationId, user: outsider.userId });
  expect((await outsider.get(`/v1/orgs/${organizationId}`)).status).toBe(200);
  expect(await userWith('else@acme.example')).toBeUndefined();
  await admin.delete(`/v1/orgs/${organizationId}/members/${outsider.userId}`);
});

test('an address that somebody claims blocks no invitation to it', async () => {
  const email = 'claimed@acme.example';
  expect((await outsider.patch(`/v1/users/${outsider.userId}`, { email })).status).toBe(200);
  const { status, body } = await accept(anonymous, await invite(admin, email));
  expect([status, body.user === outsider.userId]).toEqual([200, false]);
  expect((await userWith(email))?.id).toBe(body.user);
  await outsider.patch(`/v1/users/${outsider.userId}`, { email: 'outsider@globex.example' });
});

/** Gives the outsider an address after an invitation to it. */
const owns = (email: string) => db.updateTable('user').set({ email }).where('id', '=', outsider.userId).execute();

test('an account never gets a token from an invitation, and is joined by the word of an operator', async () => {
  const body = await invite(admin, 'owned@acme.example');
  await owns('owned@acme.example');
  expect((await accept(anonymous, body)).body).toEqual({ organization: organizationId, user: outsider.userId });
  await admin.delete(`/v1/orgs/${organizationId}/members/${outsider.userId}`);
  await owns('outsider@globex.example');
});

test('link: invitation that an admin reads: an admin who reads a link can neither act as its owner, nor accept it for the account of its owner', async () => {
  await db.updateTable('user').set({ isOperator: false }).where('id', '=', admin.userId).execute();
  advance(6_000);
  const body = await invite(admin, 'vip@acme.example');
  await owns('vip@acme.example');
  const refused = await accept(anonymous, body);
  expect([refused.status, refused.body.error.message]).toEqual([
    409,
    expect.stringContaining('access token of that account'),
  ]);
  expect((await outsider.get(`/v1/orgs/${organizationId}`)).status).toBe(404);
  expect((await accept(outsider, body)).body.user).toBe(outsider.userId);
  await admin.delete(`/v1/orgs/${organizationId}/members/${outsider.userId}`);
  await owns('outsider@globex.example');
  await db.updateTable('user').set({ isOperator: true }).where('id', '=', admin.userId).execute();
  advance(6_000);
});

test('the link of an invitation by an operator, which verifies an address, is shown to operators alone', async () => {
  await admin.post(path(), { emails: ['vouched@acme.example'] });
  const urlsFor = async () => (await admin.get(path())).body.items.map((item: { url?: string }) => item.url);
  expect(await urlsFor()).toContainEqual(expect.stringContaining('/invite#'));
  await db.updateTable('user').set({ isOperator: false }).where('id', '=', admin.userId).execute();
  advance(6_000);
  expect(await urlsFor()).toEqual([undefined]);
  await db.updateTable('user').set({ isOperator: true }).where('id', '=', admin.userId).execute();
  advance(6_000);
  const { items } = (await admin.get(path())).body;
  await admin.delete(`${path()}/${items[0].id}`);
});

test('find: invitation to a claimed address: an unverified address of a user is not taken for the user', async () => {
  const claimed = { email: null, unverifiedEmail: 'outsider@globex.example' };
  await db.updateTable('user').set(claimed).where('id', '=', outsider.userId).execute();
  const { body } = await admin.post(path(), { emails: ['outsider@globex.example'] });
  expect(body).toMatchObject({ users: [], invited: 1 });
  expect((await outsider.get(`/v1/orgs/${organizationId}`)).status).toBe(404);
  const verified = { email: 'outsider@globex.example', unverifiedEmail: null };
  await db.updateTable('user').set(verified).where('id', '=', outsider.userId).execute();
});

test('SSO members need an email domain of the organization', async () => {
  await admin.patch(`/v1/orgs/${organizationId}`, { emailDomains: ['acme.example'] });
  const { body } = await admin.post(path(), { emails: ['sso@acme.example', 'sso@globex.example'], sso: true });
  expect(body).toMatchObject({ users: [], invited: 1, failedSSOEmails: ['sso@globex.example'] });
});

test('a withdrawn invitation no longer works', async () => {
  const body = await invite(admin, 'gone@acme.example');
  expect((await reader.delete(`${path()}/${body.invite}`)).status).toBe(403);
  expect((await outsider.delete(`${path()}/${body.invite}`)).status).toBe(404);
  expect(await outsider.mutate('deleteInvite', { inviteId: body.invite }, 'deletedId')).toEqual({ deletedId: null });
  expect((await admin.delete(`${path()}/${body.invite}`)).status).toBe(204);
  expect((await admin.delete(`${path()}/${body.invite}`)).status).toBe(204);
  expect((await accept(anonymous, body)).status).toBe(404);
});

test.each([
  [{ emails: [] }, ['emails']],
  [{ emails: ['ada'] }, ['emails', 0]],
  [{ emails: [{ email: 'ada@acme.example', role: 'owner' }] }, ['emails', 0, 'role']],
  [{ emails: ['ada@acme.example'], role: 'owner' }, ['role']],
  [{ emails: 'ada@acme.example' }, ['emails']],
  [{}, ['emails']],
])('rejects %j', async (body, issue) => {
  const answer = await admin.post(path(), body);
  expect([answer.status, answer.body.error.issues[0].path.slice(0, issue.length)]).toEqual([400, issue]);
});

test('is for admins', async () => {
  for (const [caller, status] of [
    [reader, 403],
    [guest, 403],
    [outsider, 404],
    [anonymous, 401],
  ] as const) {
    expect((await caller.post(path(), { emails: ['x@acme.example'] })).status).toBe(status);
    expect((await caller.get(path())).status).toBe(status);
  }
});

test('the page of the link is the same for everyone, and changes nothing', async () => {
  const page = await fetch(`${url}/invite`);
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toContain("connect-src 'self'");
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  expect(await page.text()).toMatch(/send\('\/invite\/details'.*send\('\/invite'/s);
});

/** The address of the service, as its pages are opened. */
const own = app.services.config.publicUrl;

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

test('the page of an invitation learns who invited to which organization, and that a link was used', async () => {
  const { body } = await admin.post(path(), { emails: ['fay@acme.example'], role: 'read' });
  const [{ id, url: link }] = body.invites;
  expect(link).toContain(`/invite#${id}.`);
  const secret = link.split('.').at(-1);
  const ask = (given: string, headers: Record<string, string> = {}) =>
    anonymous.send('POST', '/invite/details', `inviteId=${id}&secret=${given}`, { ...FORM, origin: own, ...headers });
  const { displayName } = (await admin.get('/v1/user')).body;
  const { title } = (await admin.get(`/v1/orgs/${organizationId}`)).body;
  const shown = { organization: title, invitedBy: displayName, email: 'fay@acme.example' };
  expect((await ask(secret)).body).toEqual(shown);
  expect((await ask('wrong')).status).toBe(404);
  expect((await ask(secret, { origin: 'https://evil.example' })).status).toBe(403);
  expect((await ask(secret)).body).toEqual(shown);
  await accept(anonymous, { invite: id, secret });
  const used = await ask(secret);
  expect([used.status, used.body.error.message]).toEqual([404, expect.stringContaining('was already accepted')]);
});

test('a form that was opened at another address leads to its page at the address of the service', async () => {
  const elsewhere = 'http://127.0.0.1:4000';
  const send = (target: string, headers: Record<string, string>) =>
    anonymous.send('POST', target, 'inviteId=x&secret=y', {
      ...FORM,
      origin: elsewhere,
      accept: 'text/html',
      ...headers,
    });
  for (const [target, referer, address] of [
    ['/account/tokens', `${elsewhere}/account`, '/account'],
    ['/account/verify-email', `${elsewhere}/account/verify-email?secret=s`, '/account/verify-email?secret=s'],
    ['/account/verify-email', 'https://evil.example/x', '/account'],
    ['/invite', '', '/invite'],
  ] as const) {
    const { status, body } = await send(target, { referer });
    expect([target, status, body]).toEqual([target, 403, expect.stringContaining(`<a href="${own}${address}">`)]);
    expect(body).not.toContain('evil.example');
  }
  const json = await send('/invite', { accept: 'application/json' });
  expect(json.body.error.message).toContain(`Open the page at ${own}.`);
});

test('an organization that adds an account by its address learns nothing of it until its owner is active there', async () => {
  const { body: owner } = await reader.get('/v1/user');
  const { status } = await outsider.post(`/v1/orgs/${otherOrganizationId}/invites`, { emails: [owner.email] });
  expect(status).toBe(200);
  const tokensSeen = async () => {
    expect((await reader.post('/v1/user/tokens', { label: 'New' })).status).toBe(201);
    await settled(db);
    return (await outsider.get(`/v1/orgs/${otherOrganizationId}/audit-events?type=api_token_created`)).body.items
      .length;
  };
  expect(await tokensSeen()).toBe(0);
  expect((await reader.post(`/v1/orgs/${otherOrganizationId}/ping`)).status).toBe(200);
  expect(await tokensSeen()).toBe(1);
});

test.each([
  ['an invite link that gives less', 'editor', `/v1/orgs/${otherOrganizationId}/invites/LINK`],
  ['joinOrganization', 'creator', `/v1/orgs/${otherOrganizationId}/join`],
] as const)('a person who was added by address agrees to it by %s', async (_how, who, path) => {
  const person = { editor, creator }[who];
  const { body: account } = await person.get('/v1/user');
  const invited = { emails: [account.email], role: 'comment' };
  expect((await outsider.post(`/v1/orgs/${otherOrganizationId}/invites`, invited)).status).toBe(200);
  await outsider.patch(`/v1/orgs/${otherOrganizationId}`, { inviteLinks: true });
  const { body: link } = await outsider.post(`/v1/orgs/${otherOrganizationId}/link-invites`, { role: 'read' });
  const tokensSeen = async () => {
    expect((await person.post('/v1/user/tokens', { label: 'New' })).status).toBe(201);
    await settled(db);
    const { body } = await outsider.get(`/v1/orgs/${otherOrganizationId}/audit-events?type=api_token_created`);
    return body.items.filter((event: object) => JSON.stringify(event).includes(person.userId)).length;
  };
  expect(await tokensSeen()).toBe(0);
  expect((await person.post(path.replace('LINK', link.id))).status).toBeLessThan(300);
  expect(await tokensSeen()).toBe(1);
});
