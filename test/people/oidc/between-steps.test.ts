import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { Browser } from '../sso/browser.ts';
import { prove, reachableWorld, userIn } from './arrange.ts';
import { startHostileProvider } from './hostile-provider.ts';
import { now } from './openid-provider.ts';

// What an administrator or the provider changes while the provider answers a sign-in, or while an account is to be
// proved.

const op = await startHostileProvider();
const { app, admin, reader, url, organizationId } = await reachableWorld({
  OIDC_ISSUER: op.issuer,
  OIDC_CLIENT_ID: op.clientId,
  OIDC_CLIENT_SECRET: 'the secret of the operator',
});
const { db } = app.services;
const all = `/v1/orgs/${organizationId}/oidc`;
const { body: provider } = await admin.post(all, {
  ...{ label: 'Hostile', issuer: op.issuer, clientID: op.clientId, clientSecret: 'the secret of the organization' },
});
const path = `${all}/${provider.id}`;

const OF_ORGANIZATION = {
  startUrl: provider.service.startURL,
  redirectUrl: provider.service.redirectURL,
  logoutUrl: provider.service.backchannelLogoutURL,
};
const OF_SERVICE = {
  startUrl: `${url}/sso/instance/start`,
  redirectUrl: `${url}/sso/instance/callback`,
  logoutUrl: `${url}/sso/instance/backchannel-logout`,
};

const team = async (title: string): Promise<string> =>
  (await admin.mutate('createTeam', { organizationId, title }, 'team { id }')).team.id;
const [writers, everyone] = [await team('Writers'), await team('Everyone')];

afterEach(() => {
  op.beforeAnswer = undefined;
});

/** Signs in as a person, and returns the browser and the page that it ends on. */
async function signIn(claims: Record<string, unknown> & { sub: string }, service = OF_ORGANIZATION) {
  const browser = new Browser(url);
  const started = await browser.open(service.startUrl);
  const sent = new URL(started.headers.get('location') ?? '').searchParams;
  const person = { email: `${claims.sub}@corp.example`, email_verified: true, ...claims };
  op.claims = { nonce: sent.get('nonce') ?? '', ...person };
  op.userInfo = person;
  const query = new URLSearchParams({ code: 'code', state: sent.get('state') ?? '' });
  const page = await browser.follow(await browser.open(`${service.redirectUrl}?${query}`));
  return { browser, status: page.status, html: await page.text() };
}

async function teamsOf(userId: string | undefined): Promise<string[]> {
  const rows = await db
    .selectFrom('team_member')
    .where('userId', '=', userId ?? '')
    .select('teamId')
    .execute();
  return rows.map(({ teamId }) => teamId);
}

const setProvider = async (settings: object) => expect((await admin.patch(path, settings)).status).toBe(200);

test('a default role and team that end while a sign-in is under way are not given', async () => {
  await setProvider({ defaultRole: 'admin', defaultTeam: everyone });
  op.beforeAnswer = () => setProvider({ defaultRole: null, defaultTeam: null });
  const userId = await userIn((await signIn({ sub: 'ada' })).browser, url);
  expect(userId).toBeDefined();
  expect((await admin.get(`/v1/orgs/${organizationId}/members/${userId}`)).body.role).toBeNull();
  expect(await teamsOf(userId)).toEqual([]);
});

test('a team of a group that ends while a sign-in is under way is not given', async () => {
  await setProvider({ groupsClaim: 'groups', groupTeams: [{ group: 'all', teamId: writers }] });
  op.beforeAnswer = () => setProvider({ groupTeams: [{ group: 'writers', teamId: writers }] });
  const { browser, status, html } = await signIn({ sub: 'bob', groups: ['all'] });
  expect([status, html]).toEqual([403, expect.stringContaining('already completed')]);
  expect(await userIn(browser, url)).toBeUndefined();
  op.beforeAnswer = undefined;
  expect(await teamsOf(await userIn((await signIn({ sub: 'bob', groups: ['all'] })).browser, url))).toEqual([]);
});

test('a team of a group that ends while an account is to be proved is not given', async () => {
  await setProvider({ groupsClaim: 'groups', groupTeams: [{ group: 'all', teamId: writers }] });
  const person = { sub: 'reader', email: 'reader@acme.example', groups: ['all'] };
  const { browser, html } = await signIn(person);
  await setProvider({ label: 'Renamed', groupsClaim: 'groups' });
  expect((await prove(browser, html, { proof: 'token', token: 'wrong' })).status).toBe(403);
  await setProvider({ groupsClaim: 'roles' });
  const refused = await prove(browser, html, { proof: 'token', token: reader.token ?? '' });
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('already completed')]);
  expect(await teamsOf(reader.userId)).toEqual([]);
});

const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };

/** Signs people out at the provider, which tells it by a logout token. */
async function signOut(logoutUrl: string, claims: { sub?: string; sid?: string; iat?: number }): Promise<void> {
  const usual = { iss: op.issuer, aud: op.clientId, iat: now(), jti: randomUUID(), events: EVENTS };
  const token = await op.sign({ ...usual, ...claims }, { typ: 'logout+jwt' });
  const answer = await fetch(logoutUrl, { method: 'POST', body: new URLSearchParams({ logout_token: token }) });
  expect(answer.status).toBe(200);
}

test.each([
  ['an organization', OF_ORGANIZATION],
  ['the service', OF_SERVICE],
])('a session at the provider of %s that ends while a sign-in is under way starts none here', async (of, service) => {
  const name = of.replace(' ', '-');
  const cases: [session: { sid?: string }, ended: { sub?: true; sid?: string }][] = [
    [{ sid: 's1' }, { sub: true }],
    [{ sid: 's2' }, { sid: 's2' }],
    [{ sid: 's3' }, { sub: true, sid: 's3' }],
    [{}, { sub: true, sid: 'unknown' }],
    [{}, { sub: true }],
  ];
  for (const [index, [session, ended]] of cases.entries()) {
    const sub = `${name}-${index}`;
    const { sub: isNamed, ...sid } = ended;
    op.beforeAnswer = () => signOut(service.logoutUrl, { ...(isNamed && { sub }), ...sid });
    const { browser, status, html } = await signIn({ sub, ...session }, service);
    expect([status, html]).toEqual([403, expect.stringContaining('You have signed out at the identity provider')]);
    expect(await userIn(browser, url)).toBeUndefined();
  }
});

test('the end of another session, or of an earlier one, does not keep a person from signing in', async () => {
  for (const service of [OF_ORGANIZATION, OF_SERVICE]) {
    op.beforeAnswer = async () => {
      await signOut(service.logoutUrl, { sub: 'eve', sid: 'other' });
      await signOut(service.logoutUrl, { sid: 'another' });
      await signOut(service.logoutUrl, { sub: 'mallory' });
      await signOut(service.logoutUrl, { sub: 'eve', iat: now() - 2 });
    };
    const { browser } = await signIn({ sub: 'eve', sid: 'own' }, service);
    expect(await userIn(browser, url)).toBeDefined();
  }
});
