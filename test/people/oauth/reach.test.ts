import { expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import { Client } from '../../client.ts';
import { McpAgent } from '../../mcp/agent.ts';
import { settled } from '../../settled.ts';
import { follow } from '../../stream.ts';
import { world } from '../../world.ts';
import { freePort } from '../sso/identity-provider.ts';
import { Application, allow, type Json, makeVerifier, questionAt, signedIn } from './application.ts';

// An application that its user has limited to organizations. All others answer as if the user were no member, which
// test/structure/hidden-like-absent.test.ts asks of every operation.

const port = await freePort();
const here = await world({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` });
const { app, url, admin, editor, outsider, organizationId, otherOrganizationId, advance } = here;
const { db } = app.services;
const robot = await Application.register(url);
const browser = await signedIn(url, editor.token);

/** Makes the editor a member of another organization. */
async function join(organization: string): Promise<void> {
  await db
    .insertInto('membership')
    .values({ id: newId('member'), organizationId: organization, userId: editor.userId, role: 'admin' })
    .execute();
}

/** An application of the editor, limited to organizations. */
async function limitedTo(...organizationIds: string[]): Promise<Client> {
  const verifier = makeVerifier();
  const ticked = Object.fromEntries(organizationIds.map((id) => [`reach_${id}`, 'yes']));
  const address = robot.addressFor(verifier, { scope: 'read comment propose write merge publish admin' });
  const back = await allow(browser, address, { reach: 'some', ...ticked });
  const { body } = await robot.exchange(back.searchParams.get('code') ?? '', verifier);
  return new Client(url, body.access_token, editor.userId);
}

const spaceIn = async (client: Client, organization: string): Promise<string> =>
  (await client.post(`/v1/orgs/${organization}/spaces`, { title: 'Buffers' })).body.id;

await join(otherOrganizationId);
await here.app.services.db
  .updateTable('membership')
  .set({ role: 'admin' })
  .where('userId', '=', editor.userId)
  .where('organizationId', '=', organizationId)
  .execute();
const inside = await spaceIn(admin, organizationId);
const outside = await spaceIn(outsider, otherOrganizationId);

/** An answer without what names the resource or the request. */
const withoutIds = ({ status, body }: { status: number; body: Json }, ...ids: string[]) => {
  const text = ids.reduce((rest, id) => rest.replaceAll(id, '<id>'), JSON.stringify(body));
  return { status, text: text.replaceAll(/"requestId":"[^"]*"/g, '') };
};

test('the page of consent lists the organizations of the person, who limits the application to some', async () => {
  const { html } = await questionAt(browser, robot.addressFor(makeVerifier()));
  expect(html).toMatch(/id="reach_all" name="reach" value="all" checked>.*id="reach_some" name="reach" value="some">/s);
  for (const [id, title] of [
    [organizationId, 'Acme'],
    [otherOrganizationId, 'Globex'],
  ])
    expect(html).toMatch(new RegExp(`name="reach_${id}" value="yes"><label for="reach_${id}">${title}<`));
  const application = await limitedTo(organizationId);
  expect((await application.get('/v1/orgs')).body.items).toMatchObject([{ id: organizationId }]);
  expect((await application.get(`/v1/spaces/${inside}`)).status).toBe(200);
});

test('an organization that has only added the person learns of an application that is limited to it', async () => {
  const { body: added } = await outsider.post('/v1/orgs', { title: 'Umbrella' });
  expect((await outsider.post(`/v1/orgs/${added.id}/invites`, { emails: ['editor@acme.example'] })).status).toBe(200);
  const seen = async (type: string) =>
    (await outsider.get(`/v1/orgs/${added.id}/audit-events?type=${type}`)).body.items.length;
  await limitedTo(organizationId);
  expect(await seen('oauth_grant_created')).toBe(0);
  await limitedTo(added.id);
  expect(await seen('oauth_grant_created')).toBe(1);
  await outsider.delete(`/v1/orgs/${added.id}/members/${editor.userId}`);
});

test('an answer that leaves open which organizations are meant is asked again, with its choices', async () => {
  const ticked = { [`reach_${organizationId}`]: 'yes' };
  for (const [form, alert] of [
    [{ reach: 'some' }, /Tick at least one organization/],
    [{ reach: 'some', [`reach_${newId('org')}`]: 'yes' }, /Tick at least one organization/],
    [{ reach: 'all', ...ticked }, /All organizations are chosen, but some are ticked/],
    [{ ...ticked }, /Choose the organizations/],
  ] as const) {
    const { path, account } = await questionAt(browser, robot.addressFor(makeVerifier(), { scope: 'propose merge' }));
    const asked = await browser.submit(path, { account, decision: 'allow', scope_merge: 'yes', ...form });
    const html = await asked.text();
    expect([asked.status, html]).toEqual([200, expect.stringMatching(alert)]);
    expect(html).toMatch(/name="scope_merge" value="yes" checked/);
    expect(html).toMatch(/name="scope_propose" value="yes">/);
    expect(html.includes(`name="reach_${organizationId}" value="yes" checked`)).toBe(
      organizationId in form || `reach_${organizationId}` in form,
    );
  }
});

test('nobody limits an application to an organization of others', async () => {
  const foreign = newId('org');
  await db
    .insertInto('organization')
    .values({ id: foreign, title: 'Initech', mergeRules: { type: 'rules', rules: [] } })
    .execute();
  const application = await limitedTo(organizationId, foreign);
  await join(foreign);
  expect((await application.get('/v1/orgs')).body.items).toMatchObject([{ id: organizationId }]);
  expect((await application.get(`/v1/orgs/${foreign}`)).status).toBe(404);
});

test('other organizations answer like absent ones on both transports', async () => {
  const application = await limitedTo(organizationId);
  for (const [path, id, none] of [
    [`/v1/orgs/ID`, otherOrganizationId, newId('org')],
    [`/v1/orgs/ID/spaces`, otherOrganizationId, newId('org')],
    [`/v1/orgs/ID/members`, otherOrganizationId, newId('org')],
    [`/v1/orgs/ID/events`, otherOrganizationId, newId('org')],
    [`/v1/orgs/ID/search?query=buffers`, otherOrganizationId, newId('org')],
    [`/v1/spaces/ID`, outside, newId('space')],
    [`/v1/spaces/ID/content`, outside, newId('space')],
    [`/v1/spaces/ID/search?query=buffers`, outside, newId('space')],
  ] as const) {
    const [real, absent] = await Promise.all([id, none].map((each) => application.get(path.replace('ID', each))));
    expect([path, withoutIds(real as Json, id, none)]).toEqual([path, withoutIds(absent as Json, id, none)]);
    expect(real?.status).toBe(404);
  }
  const query = `query ($ids: [ID!]!, $organization: ID!) {
    nodes(ids: $ids) { id }
    organization(id: $organization) { id }
    viewer { organizations(first: 10) { totalCount nodes { id } } }
  }`;
  const ids = [otherOrganizationId, outside, organizationId, inside];
  const { body } = await application.graphqlRaw(query, { ids, organization: otherOrganizationId });
  expect(body.data).toEqual({
    nodes: [null, null, { id: organizationId }, { id: inside }],
    organization: null,
    viewer: { organizations: { totalCount: 1, nodes: [{ id: organizationId }] } },
  });
});

test('neither do tools and streams reach them', async () => {
  const application = await limitedTo(organizationId);
  const agent = new McpAgent(application);
  expect((await agent.call('listOrganizations', {})).items).toMatchObject([{ id: organizationId }]);
  const query = 'subscription ($id: ID!) { eventRecorded(organizationId: $id) { id } }';
  const streams = await Promise.all(
    [otherOrganizationId, newId('org')].map((id) => follow(app, application, { query, variables: { id } })),
  );
  const told = streams.map(({ frames }) => frames.flatMap(({ data }) => data?.errors?.[0]?.extensions?.code ?? []));
  expect(told).toEqual([['NOT_FOUND'], ['NOT_FOUND']]);
});

test('organizations that the person joins later are not reached, and none is joined or created', async () => {
  const application = await limitedTo(organizationId);
  const later = newId('org');
  await db
    .insertInto('organization')
    .values({ id: later, title: 'Later', mergeRules: { type: 'rules', rules: [] }, emailDomains: ['acme.example'] })
    .execute();
  expect((await application.post('/v1/orgs', { title: 'Own' })).status).toBe(403);
  const absent = await application.post(`/v1/orgs/${newId('org')}/join`);
  const joined = await application.post(`/v1/orgs/${later}/join`);
  expect([joined.status, withoutIds(joined)]).toEqual([absent.status, withoutIds(absent)]);
  const found = await application.get('/v1/email-domains/acme.example/orgs');
  expect(JSON.stringify(found.body)).not.toContain(later);
  await join(later);
  expect((await editor.get(`/v1/orgs/${later}`)).status).toBe(200);
  expect((await application.get(`/v1/orgs/${later}`)).status).toBe(404);
  expect((await application.get('/v1/orgs')).body.items).toMatchObject([{ id: organizationId }]);
});

test('where SSO is required and the application does not reach, it is not told so', async () => {
  const [near, far] = [await limitedTo(organizationId), await limitedTo(otherOrganizationId)];
  const require = (sso: boolean) =>
    db.updateTable('organization').set({ sso }).where('id', '=', organizationId).execute();
  await require(true);
  expect((await near.get(`/v1/orgs/${organizationId}`)).status).toBe(403);
  expect((await near.get(`/v1/spaces/${inside}`)).status).toBe(403);
  expect((await far.get(`/v1/orgs/${organizationId}`)).status).toBe(404);
  expect((await far.get(`/v1/spaces/${inside}`)).status).toBe(404);
  await require(false);
  expect((await near.get(`/v1/spaces/${inside}`)).status).toBe(200);
});

test('the limit is shown on both transports and at the account, and an application sees itself alone', async () => {
  await limitedTo(organizationId, otherOrganizationId);
  const application = await limitedTo(otherOrganizationId);
  const grants = (await editor.get('/v1/user/oauth-grants')).body.items;
  expect(grants.slice(0, 2).map(({ organizationIds }: Json) => organizationIds)).toEqual([
    [otherOrganizationId],
    [organizationId, otherOrganizationId],
  ]);
  const query = '{ viewer { oauthGrants(first: 1) { nodes { id organizationIds } } } }';
  const nodes = [{ id: grants[0].id, organizationIds: [otherOrganizationId] }];
  expect((await editor.graphql(query)).viewer.oauthGrants.nodes).toEqual(nodes);
  expect(await (await browser.open('/account')).text()).toMatch(/in Globex only\. .*in Acme, Globex only\./s);
  expect((await application.get('/v1/user/oauth-grants')).body.items.map(({ id }: Json) => id)).toEqual([grants[0].id]);
  expect(
    await application.graphql('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: [grants[1].id] }),
  ).toEqual({
    nodes: [null],
  });
  for (const list of ['tokens', 'sessions']) expect((await application.get(`/v1/user/${list}`)).body.items).toEqual([]);
  expect((await application.get('/v1/user/passkeys')).status).toBe(403);
  const unlimited = await robot.connect(browser);
  expect((await new Client(url, unlimited.access_token).get('/v1/user/tokens')).body.items).not.toEqual([]);
});

test('connecting and revoking are events of these organizations, and of no other', async () => {
  const kindsIn = async (client: Client, organization: string, grantId: string) => {
    await settled(db);
    const { body } = await client.get(`/v1/orgs/${organization}/audit-events?limit=100`);
    return body.items.filter(({ ids }: Json) => ids.oauthGrantId === grantId).map(({ type }: Json) => type);
  };
  const application = await limitedTo(organizationId);
  const [{ id }] = (await editor.get('/v1/user/oauth-grants')).body.items;
  await settled(db);
  const created = await admin.get(`/v1/orgs/${organizationId}/audit-events?type=oauth_grant_created&limit=1`);
  expect(created.body.items[0].changes).toContainEqual({ setting: 'isLimited', to: 'true' });
  expect((await editor.delete(`/v1/user/oauth-grants/${id}`)).status).toBe(204);
  expect((await application.get('/v1/user')).status).toBe(401);
  expect(await kindsIn(admin, organizationId, id)).toEqual(['oauth_grant_revoked', 'oauth_grant_created']);
  expect(await kindsIn(outsider, otherOrganizationId, id)).toEqual([]);
});

test('refreshed tokens have the same limit, and a reused code ends the grant in these organizations', async () => {
  const verifier = makeVerifier();
  const form = { reach: 'some', [`reach_${organizationId}`]: 'yes' };
  const back = await allow(browser, robot.addressFor(verifier), form);
  const code = back.searchParams.get('code') ?? '';
  const { body: first } = await robot.exchange(code, verifier);
  const { body: second } = await robot.refresh(first.refresh_token);
  const application = new Client(url, second.access_token);
  expect((await application.get(`/v1/orgs/${otherOrganizationId}`)).status).toBe(404);
  const [{ id }] = (await editor.get('/v1/user/oauth-grants')).body.items;
  expect((await robot.exchange(code, verifier)).status).toBe(400);
  advance(5_000);
  expect((await application.get('/v1/user')).status).toBe(401);
  const revoked = await db
    .selectFrom('event')
    .where('kind', '=', 'oauth_grant_revoked')
    .select(['organizationId', 'ids'])
    .execute();
  const own = revoked.filter(({ ids }) => (ids as Json).oauthGrantId === id);
  expect(own.map((event) => event.organizationId).sort()).toEqual([organizationId, null].sort());
});
