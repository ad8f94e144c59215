import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import { Client } from '../../client.ts';
import { McpAgent } from '../../mcp/agent.ts';
import { follow } from '../../stream.ts';
import { world } from '../../world.ts';
import { freePort } from '../sso/identity-provider.ts';
import { Application, type Json, makeVerifier, questionAt, signedIn } from './application.ts';

// An application that its user has limited to spaces. What else is in their organizations answers as if it were absent,
// which test/structure/hidden-like-absent.test.ts and the matrix of isolation ask of every operation.

const port = await freePort();
const here = await world({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` });
const { app, url, admin, editor, outsider, organizationId, otherOrganizationId, advance } = here;
const { db } = app.services;
const robot = await Application.register(url);
const browser = await signedIn(url, editor.token);
const ORGANIZATION = `/v1/orgs/${organizationId}`;

const made = async (client: Client, path: string, body: object): Promise<Json> => {
  const answer = await client.post(path, body);
  expect([path, answer.body.error, answer.status]).toEqual([path, undefined, 201]);
  return answer.body;
};

/** A space with one page. */
async function spaceOf(client: Client, organization: string, title: string, parent?: string) {
  const given = { title, empty: true, ...(parent !== undefined && { parent }) };
  const { id } = await made(client, `/v1/orgs/${organization}/spaces`, given);
  const page = { operation: 'insert_page', title: `About ${title}`, document: { markdown: `Grease the ${title}.` } };
  const { status, body } = await client.post(`/v1/spaces/${id}/content`, { changes: [page] });
  expect([status, body.error]).toEqual([200, undefined]);
  const [first] = (await client.get(`/v1/spaces/${id}/content/pages`)).body.pages;
  return { id, pageId: first.id, title };
}

type Space = Awaited<ReturnType<typeof spaceOf>>;

const collectionId = (await made(admin, `${ORGANIZATION}/collections`, { title: 'Shelf' })).id;
const valves = await spaceOf(admin, organizationId, 'Valves', collectionId);
const pumps = await spaceOf(admin, organizationId, 'Pumps');
const pipes = await spaceOf(admin, organizationId, 'Pipes');
const abroad = await spaceOf(outsider, otherOrganizationId, 'Gauges');
const siteId = (await made(admin, `${ORGANIZATION}/sites`, { title: 'Help' })).id;
await made(admin, `${ORGANIZATION}/sites/${siteId}/site-spaces`, { spaceId: valves.id });
const { id: changeId } = await made(admin, `/v1/spaces/${valves.id}/change-requests`, { subject: 'Seals' });
const { id: hiddenChangeId } = await made(admin, `/v1/spaces/${pipes.id}/change-requests`, { subject: 'Bends' });
const { id: teamId } = (await admin.put(`${ORGANIZATION}/teams`, { title: 'Fitters', members: [editor.userId] })).body;

beforeAll(async () => {
  await db
    .insertInto('membership')
    .values({ id: newId('member'), organizationId: otherOrganizationId, userId: editor.userId, role: 'admin' })
    .execute();
  await here.grant(valves.id, editor.userId, 'review');
});

const ticking = (...spaces: Space[]) => Object.fromEntries(spaces.map(({ id }) => [`in_${id}`, 'yes']));

const SCOPES = 'read comment propose write merge';

/** Tokens of an application of the editor that is limited to spaces. */
const tokensFor = (...spaces: Space[]): Promise<Json> =>
  robot.connectToSpaces(
    browser,
    SCOPES,
    spaces.map(({ id }) => id),
  );

const limitedTo = async (...spaces: Space[]): Promise<Client> =>
  new Client(url, (await tokensFor(...spaces)).access_token, editor.userId);

const codesOf = ({ body }: { body: Json }) => (body.errors ?? []).map((error: Json) => error.extensions.code);

test('the page of consent says what a limit to spaces means, and finds them by their titles', async () => {
  const { html, path, account } = await questionAt(browser, robot.addressFor(makeVerifier()));
  expect(html).toContain(
    'Only these spaces, 100 at most. Of the organizations that they are in, it sees the names and',
  );
  expect(html).toMatch(new RegExp(`name="in_${abroad.id}" value="yes">.*Gauges <span class="soft">in Globex<`));
  const form = { account, reach: 'spaces', scope_propose: 'yes', ...ticking(pumps) };
  const searched = await browser.submit(path, { ...form, decision: 'search', space_search: 'PIP' });
  const found = await searched.text();
  expect(searched.status).toBe(200);
  expect(found).toContain(`name="in_${pumps.id}" value="yes" checked`);
  expect(found).toContain(`name="in_${pipes.id}" value="yes">`);
  expect(found).not.toContain(valves.id);
  expect(found).toContain('id="space_search" name="space_search" value="PIP"');
  expect(found).toMatch(/name="scope_propose" value="yes" checked/);
  expect(found).not.toContain('role="alert">Tick');
  // The Enter key in the field of the search presses the first button.
  expect(/<button[^>]*value="(\w+)"/.exec(found)?.[1]).toBe('search');
});

test('an answer that leaves open which spaces are meant, or grants what no space has, is asked again', async () => {
  const foreign = await spaceOf(admin, organizationId, 'Secrets');
  await admin.patch(`/v1/spaces/${foreign.id}`, { defaultLevel: null });
  for (const [form, alert] of [
    [{ reach: 'spaces' }, /Tick at least one space/],
    [
      { reach: 'all', ...ticking(pumps) },
      /Some spaces are ticked\. Choose &quot;Only these spaces&quot;|Some spaces are ticked/,
    ],
    [{ reach: 'spaces', ...ticking(pumps), [`reach_${organizationId}`]: 'yes' }, /but organizations are ticked/],
    [{ reach: 'spaces', ...ticking(pumps, foreign) }, /You no longer see some of the spaces/],
    [{ reach: 'spaces', ...ticking(pumps), in_nothing: 'yes' }, /You no longer see some of the spaces/],
    [
      { reach: 'spaces', ...ticking(pumps), scope_admin: 'yes' },
      /For spaces only, an application cannot work on sites/,
    ],
    [
      { reach: 'spaces', ...ticking(pumps), scope_publish: 'yes' },
      /For spaces only, an application cannot work on sites/,
    ],
    [
      { reach: 'spaces', ...Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`in_space_${at}`, 'yes'])) },
      /Tick 100 spaces at most/,
    ],
  ] as const) {
    const { path, account } = await questionAt(browser, robot.addressFor(makeVerifier(), { scope: 'publish admin' }));
    const asked = await browser.submit(path, { account, decision: 'allow', ...form } as Record<string, string>);
    expect([asked.status, await asked.text()]).toEqual([200, expect.stringMatching(alert)]);
  }
});

test('it reads and changes the spaces that it is limited to, as the person does', async () => {
  const application = await limitedTo(valves, pumps);
  const listed = (await application.get(`${ORGANIZATION}/spaces`)).body.items;
  expect(listed.map(({ id }: Json) => id).sort()).toEqual([valves.id, pumps.id].sort());
  expect((await application.get(`/v1/spaces/${valves.id}/content/page/${valves.pageId}`)).body.title).toBe(
    'About Valves',
  );
  const page = { operation: 'insert_page', title: 'Springs', document: { markdown: 'Wind them.' } };
  expect((await application.post(`/v1/spaces/${pumps.id}/content`, { changes: [page] })).status).toBe(200);
  const own = await made(application, `/v1/spaces/${valves.id}/change-requests`, { subject: 'Oil' });
  expect((await application.post(`/v1/spaces/${valves.id}/change-requests/${own.id}/merge`)).status).toBe(200);
  const comment = { body: { markdown: 'Why?' } };
  expect((await application.post(`/v1/spaces/${pumps.id}/comments`, comment)).status).toBe(200);
  const { space } = await application.graphql(
    'query ($id: ID!) { space(id: $id) { permissions { review admin } accessExplanation { role source path { level } } } }',
    { id: valves.id },
  );
  expect(space).toEqual({
    permissions: { review: true, admin: false },
    accessExplanation: { role: 'REVIEW', source: 'GRANT', path: [] },
  });
  const changes = (await application.get(`${ORGANIZATION}/change-requests?status=all`)).body.items;
  expect(changes.map(({ id }: Json) => id).sort()).toEqual([changeId, own.id].sort());
});

test('it neither sees another space nor what is in it', async () => {
  const application = await limitedTo(valves, pumps);
  for (const path of [
    `/v1/spaces/${pipes.id}`,
    `/v1/spaces/${pipes.id}/content/page/${pipes.pageId}`,
    `/v1/spaces/${pipes.id}/search?query=grease`,
    `/v1/spaces/${pipes.id}/change-requests/${hiddenChangeId}`,
    `/v1/spaces/${abroad.id}`,
    `/v1/collections/${collectionId}`,
    `${ORGANIZATION}/sites/${siteId}`,
    `${ORGANIZATION}/members`,
    `${ORGANIZATION}/members/${editor.userId}`,
    `${ORGANIZATION}/teams`,
    `${ORGANIZATION}/teams/${teamId}`,
    `${ORGANIZATION}/openapi`,
    `${ORGANIZATION}/translations`,
    `/v1/orgs/${otherOrganizationId}`,
    `/v1/users/${admin.userId}`,
  ])
    expect([path, (await application.get(path)).status]).toEqual([path, 404]);
  for (const path of ['collections', 'sites', 'imports']) {
    const { status, body } = await application.get(
      `/v1/${path === 'imports' ? 'org' : 'orgs'}/${organizationId}/${path}`,
    );
    expect([path, status, body.items]).toEqual([path, 200, []]);
  }
  const found = JSON.stringify((await application.get(`${ORGANIZATION}/search?query=grease`)).body);
  expect([found.includes(valves.id), found.includes(pipes.id), found.includes('Pipes')]).toEqual([true, false, false]);
  const shown = JSON.stringify((await application.get(`/v1/spaces/${valves.id}`)).body);
  for (const id of [collectionId, siteId]) expect(shown).not.toContain(id);
  const hidden = [pipes.id, collectionId, siteId, hiddenChangeId, teamId, abroad.id, otherOrganizationId, admin.userId];
  const { nodes } = await application.graphql('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
    ids: [...hidden, valves.id, changeId, organizationId],
  });
  expect(nodes).toEqual([...hidden.map(() => null), { id: valves.id }, { id: changeId }, { id: organizationId }]);
});

test('of the organization it sees the title, and no settings, members or permissions', async () => {
  await admin.patch(ORGANIZATION, { emailDomains: ['acme.example'], hostname: 'acme-manuals', defaultRole: 'edit' });
  const application = await limitedTo(valves);
  const { body } = await application.get(ORGANIZATION);
  expect([body.title, body.emailDomains, body.hostname, body.defaultRole]).toEqual(['Acme', [], undefined, null]);
  expect(body.permissions).toMatchObject({ view: true, access: false, admin: false, createContent: false });
  const [listed, ...others] = (await application.get('/v1/orgs')).body.items;
  expect([listed.id, listed.hostname, others]).toEqual([organizationId, undefined, []]);
  expect((await editor.get('/v1/subdomains/acme-manuals')).status).toBe(200);
  expect((await application.get('/v1/subdomains/acme-manuals')).status).toBe(404);
  expect((await application.post(`${ORGANIZATION}/ping`)).status).toBe(404);
  expect((await application.post(`${ORGANIZATION}/join`)).status).toBe(403);
  expect((await application.post('/v1/orgs', { title: 'Own' })).status).toBe(403);
  const answer = await application.graphqlRaw(
    `query ($id: ID!, $space: ID!) {
        organization(id: $id) { title members(first: 1) { totalCount } teams(first: 1) { totalCount } }
        space(id: $space) { commenters(first: 1) { totalCount } organization { title emailDomains } parent { id } }
      }`,
    { id: organizationId, space: valves.id },
  );
  expect(answer.body.data).toEqual({
    organization: { title: 'Acme', members: null, teams: null },
    space: { commenters: { totalCount: 0 }, organization: { title: 'Acme', emailDomains: [] }, parent: null },
  });
  expect(codesOf(answer)).toEqual(['NOT_FOUND', 'NOT_FOUND']);
  await here.grant(pumps.id, editor.userId, 'admin');
  const ofPumps = await limitedTo(pumps);
  expect((await editor.get(`/v1/spaces/${pumps.id}/permissions/aggregate`)).status).toBe(200);
  expect((await ofPumps.get(`/v1/spaces/${pumps.id}/permissions/aggregate`)).status).toBe(403);
  expect((await ofPumps.get(`/v1/spaces/${pumps.id}/permissions/users`)).status).toBe(403);
});

test('it makes nothing in the organization, and starts nothing that has all rights of the person', async () => {
  const application = await limitedTo(valves, abroad);
  const refused = async (path: string, body: object, status: number) =>
    expect([path, (await application.post(path, body)).status]).toEqual([path, status]);
  await refused(`/v1/orgs/${otherOrganizationId}/spaces`, { title: 'More' }, 404);
  await refused(`/v1/orgs/${otherOrganizationId}/collections`, { title: 'More' }, 404);
  await refused(`/v1/orgs/${otherOrganizationId}/sites`, { title: 'More' }, 403);
  await refused(`/v1/spaces/${abroad.id}/duplicate`, {}, 403);
  const repository = { url: 'https://git.example/docs.git', ref: 'refs/heads/main', commitMessage: 'Copy' };
  await refused(`/v1/spaces/${abroad.id}/git/import`, repository, 403);
  await refused(`/v1/spaces/${abroad.id}/git/export`, repository, 403);
  const website = { source: { type: 'website', url: 'https://example.com/' }, target: { space: abroad.id } };
  await refused(`/v1/org/${otherOrganizationId}/imports`, website, 404);
});

test('it uses the files that it has uploaded itself, and no others of the person', async () => {
  const [one, other] = [await limitedTo(pumps), await limitedTo(pumps)];
  const upload = async (client: Client) =>
    (await client.send('POST', `${ORGANIZATION}/uploads?name=a.png`, Buffer.from('a'), { 'content-type': 'image/png' }))
      .body;
  const own = await upload(one);
  const ofPerson = await upload(editor);
  const insert = (client: Client, { url: from }: Json) =>
    client.post(`/v1/spaces/${pumps.id}/content`, {
      changes: [{ operation: 'insert_files', files: [{ name: 'a.png', url: from }] }],
    });
  expect([own.id, ofPerson.id]).toEqual([expect.stringMatching(/^upload_/), expect.stringMatching(/^upload_/)]);
  for (const [client, given, status] of [
    [one, ofPerson, 400],
    [other, own, 400],
    [one, own, 200],
    [editor, own, 200],
  ] as const) {
    const answer = await insert(client, given);
    expect([answer.status, answer.body.error?.message ?? '']).toEqual([
      status,
      status === 200 ? '' : expect.stringContaining('You have no upload'),
    ]);
  }
});

test('it has idempotency keys of its own', async () => {
  const application = await limitedTo(pumps);
  const create = async (client: Client) => {
    const key = { 'idempotency-key': 'seals-of-pumps' };
    const { status, body } = await client.send(
      'POST',
      `/v1/spaces/${pumps.id}/change-requests`,
      { subject: 'Seals' },
      key,
    );
    expect(status).toBe(201);
    return body.id;
  };
  const [ofPerson, own] = [await create(editor), await create(application)];
  expect(own).not.toBe(ofPerson);
  expect([await create(editor), await create(application)]).toEqual([ofPerson, own]);
});

test('neither do tools and streams of agents show more', async () => {
  const application = await limitedTo(valves, pumps);
  const agent = new McpAgent(application);
  expect((await agent.call('listOrganizations', {})).items).toMatchObject([{ id: organizationId }]);
  const { items } = await agent.call('listSpaces', { organizationId });
  expect(items.map(({ id }: Json) => id).sort()).toEqual([valves.id, pumps.id].sort());
  const read = await agent.call('getPage', { spaceId: valves.id, pageId: valves.pageId });
  expect(JSON.stringify(read)).toContain('Grease the Valves');
  const absent = await agent.try('getPage', { spaceId: pipes.id, pageId: pipes.pageId });
  const none = await agent.try('getPage', { spaceId: newId('space'), pageId: pipes.pageId });
  expect([absent.isError, none.isError]).toEqual([true, true]);
  expect(JSON.stringify(await agent.call('search', { query: 'grease', organizationId }))).not.toContain(pipes.id);
  expect((await agent.try('listMembers', { organizationId })).isError).toBe(true);
  const query = 'subscription ($id: ID!) { spaceUpdated(id: $id) { id } }';
  const streams = await Promise.all(
    [pipes.id, newId('space')].map((id) => follow(app, application, { query, variables: { id } })),
  );
  const told = streams.map(({ frames }) => frames.flatMap(({ data }) => data?.errors?.[0]?.extensions?.code ?? []));
  expect(told).toEqual([['NOT_FOUND'], ['NOT_FOUND']]);
  const events = 'subscription ($id: ID!) { eventRecorded(organizationId: $id) { id } }';
  const { frames } = await follow(app, application, { query: events, variables: { id: organizationId } });
  expect(frames.flatMap(({ data }) => data?.errors?.[0]?.extensions?.code ?? [])).toHaveLength(1);
});

test('spaces of several organizations, of which each is seen by its title', async () => {
  const application = await limitedTo(valves, abroad);
  const titles = (await application.get('/v1/orgs')).body.items.map(({ title }: Json) => title);
  expect(titles).toEqual(['Acme', 'Globex']);
  expect((await application.get(`/v1/orgs/${otherOrganizationId}/spaces`)).body.items).toMatchObject([
    { id: abroad.id },
  ]);
  expect((await application.get(`/v1/orgs/${otherOrganizationId}/events`)).status).toBe(403);
  const [grant] = (await editor.get('/v1/user/oauth-grants')).body.items;
  expect(grant.organizationIds).toEqual([organizationId, otherOrganizationId].sort());
  expect(grant.spaceIds).toEqual([valves.id, abroad.id].sort());
});

test('a space that is deleted, in an organization that was not granted or taken from the person is out of reach at once', async () => {
  const [deleted, moved, taken] = [
    await spaceOf(admin, organizationId, 'Hoses'),
    await spaceOf(admin, organizationId, 'Tanks'),
    await spaceOf(admin, organizationId, 'Taps'),
  ];
  for (const { id } of [deleted, moved, taken]) await here.grant(id, editor.userId, 'admin');
  const application = await limitedTo(deleted, moved, taken);
  const statuses = () =>
    Promise.all([deleted, moved, taken].map(async ({ id }) => (await application.get(`/v1/spaces/${id}`)).status));
  expect(await statuses()).toEqual([200, 200, 200]);
  expect((await admin.delete(`/v1/spaces/${deleted.id}`)).status).toBe(204);
  await db.updateTable('space').set({ organizationId: otherOrganizationId }).where('id', '=', moved.id).execute();
  await here.grant(taken.id, editor.userId, 'none');
  expect(await statuses()).toEqual([404, 404, 404]);
  expect((await editor.get(`/v1/spaces/${moved.id}`)).status).toBe(200);
  await db.updateTable('space').set({ organizationId }).where('id', '=', moved.id).execute();
  const later = await limitedTo(pumps);
  expect((await application.get(`/v1/spaces/${pumps.id}`)).status).toBe(404);
  expect((await later.get(`/v1/spaces/${pumps.id}`)).status).toBe(200);
});

test('the limit is shown on both transports and at the account, stays when tokens are refreshed, and ends with the grant', async () => {
  const tokens = await tokensFor(valves, pumps);
  const [grant] = (await editor.get('/v1/user/oauth-grants')).body.items;
  expect(grant).toMatchObject({ organizationIds: [organizationId], spaceIds: [valves.id, pumps.id].sort() });
  const query = '{ viewer { oauthGrants(first: 1) { nodes { id organizationIds spaceIds } } } }';
  const { id, organizationIds, spaceIds } = grant;
  expect((await editor.graphql(query)).viewer.oauthGrants.nodes).toEqual([{ id, organizationIds, spaceIds }]);
  expect(await (await browser.open('/account')).text()).toMatch(/in the spaces (Valves, Pumps|Pumps, Valves) only\./);
  const { body } = await robot.refresh(tokens.refresh_token);
  const application = new Client(url, body.access_token, editor.userId);
  expect((await application.get(`/v1/spaces/${pipes.id}`)).status).toBe(404);
  expect((await application.get(`/v1/spaces/${pumps.id}`)).status).toBe(200);
  expect((await application.get('/v1/user/oauth-grants')).body.items.map((each: Json) => each.id)).toEqual([id]);
  for (const list of ['tokens', 'sessions']) expect((await application.get(`/v1/user/${list}`)).body.items).toEqual([]);
  expect((await editor.delete(`/v1/user/oauth-grants/${id}`)).status).toBe(204);
  advance(5_000);
  expect((await application.get('/v1/user')).status).toBe(401);
});
