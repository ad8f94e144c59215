import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import { Client } from '../../client.ts';
import { makeSite } from '../../content/import-engine/arrange.ts';
import { siteWith } from '../../publishing/arrange.ts';
import { translating } from '../../sources/translations/arrange.ts';
import { world } from '../../world.ts';
import { freePort } from '../sso/identity-provider.ts';
import { Application, type Json, makeVerifier, questionAt, signedIn } from './application.ts';

// What an application that is limited to spaces could learn or start through these spaces.

const port = await freePort();
const here = await world({
  PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  ALLOW_PRIVATE_NETWORK: '1',
  IMPORT_WAIT_MS: '1000',
});
const { app, url, admin, editor, guest, outsider, organizationId, otherOrganizationId, advance } = here;
const { db } = app.services;
const robot = await Application.register(url);
const browser = await signedIn(url, editor.token);
const ORGANIZATION = `/v1/orgs/${organizationId}`;

const made = async (client: Client, path: string, body: object): Promise<Json> => {
  const answer = await client.post(path, body);
  expect([path, answer.body.error, answer.status]).toEqual([path, undefined, 201]);
  return answer.body;
};

/** A space that the editor administers. */
async function spaceTitled(title: string, settings: object = {}): Promise<string> {
  const { id } = await made(admin, `${ORGANIZATION}/spaces`, { title, empty: true, ...settings });
  await here.grant(id, editor.userId, 'admin');
  return id;
}

beforeAll(async () => {
  const memberships = [admin, editor].map(({ userId }) => ({
    id: newId('member'),
    organizationId: otherOrganizationId,
    userId,
    role: 'admin' as const,
  }));
  await db.insertInto('membership').values(memberships).execute();
});

async function limitedTo(...spaceIds: string[]): Promise<Client> {
  const { access_token } = await robot.connectToSpaces(browser, 'read comment propose write merge', spaceIds);
  return new Client(url, access_token, editor.userId);
}

test('it starts no runs of a connection to a Git branch, which have the permissions of another user', async () => {
  const spaceId = await spaceTitled('Connected');
  const path = `/v1/spaces/${spaceId}/git/connection`;
  const remote = { url: 'https://git.example/docs.git', ref: 'refs/heads/main' };
  await made(admin, path, remote);
  const application = await limitedTo(spaceId);
  const statuses = async (client: Client, ...names: string[]) =>
    Promise.all(names.map(async (name) => (await client.post(`${path}/${name}`, {})).status));
  await db.updateTable('git_connection').set({ state: 'active' }).where('spaceId', '=', spaceId).execute();
  expect(await statuses(application, 'preview', 'sync', 'start')).toEqual([403, 403, 403]);
  const mutation = `mutation ($input: SyncGitConnectionInput!) { syncGitConnection(input: $input) { connection { id } } }`;
  const { body } = await application.graphqlRaw(mutation, { input: { spaceId } });
  expect(body.errors[0].extensions.code).toBe('FORBIDDEN');
  const { wantedAt } = await db
    .selectFrom('git_connection')
    .where('spaceId', '=', spaceId)
    .select('wantedAt')
    .executeTakeFirstOrThrow();
  const runs = await db.selectFrom('git_run').where('spaceId', '=', spaceId).select('id').execute();
  expect([wantedAt, runs]).toEqual([null, []]);
  expect([(await application.get(path)).body.actsAs, (await editor.get(path)).body.actsAs]).toEqual([
    undefined,
    admin.userId,
  ]);
  expect(await statuses(editor, 'preview', 'sync')).toEqual([202, 202]);
});

test('it finds no organization by an email domain', async () => {
  await admin.patch(ORGANIZATION, { emailDomains: ['acme.example'], defaultRole: 'edit' });
  const application = await limitedTo(await spaceTitled('Domains'));
  const found = async (client: Client) => {
    const { status, body } = await client.get('/v1/email-domains/acme.example/orgs');
    return [status, JSON.stringify(body).includes(organizationId)];
  };
  expect([await found(editor), await found(application)]).toEqual([
    [200, true],
    [200, false],
  ]);
});

test('sites that not everyone can read, and collections, show neither in a space nor by a filter', async () => {
  const collection = await made(admin, `${ORGANIZATION}/collections`, { title: 'Shelf' });
  const expected: [string, string, string, boolean][] = [];
  for (const [visibility, shown] of [
    ['share-link', 'private'],
    ['visitor-auth', 'private'],
    ['unlisted', 'unlisted'],
    ['public', 'public'],
  ] as const) {
    const id = await spaceTitled(visibility, { parent: collection.id });
    const site = await siteWith(admin, organizationId, { title: visibility, visibility, spaces: [id] });
    expect((await admin.post(`${site.path}/publish`)).status).toBeLessThan(300);
    expected.push([id, visibility, shown, shown !== 'private']);
  }
  const inCollection = await spaceTitled('Shelved', { parent: collection.id });
  expected.push([inCollection, 'in-collection', 'private', false]);
  const application = await limitedTo(...expected.map(([id]) => id));
  for (const [id, visibility, shown, isPublished] of expected) {
    const path = `/v1/spaces/${id}`;
    const [seen, own] = [(await application.get(path)).body, (await editor.get(path)).body];
    expect([own.visibility, seen.visibility, seen.urls.published !== undefined]).toEqual([
      visibility,
      shown,
      isPublished,
    ]);
    // Alone, without the addresses that a whole space is read with.
    const { space } = await application.graphql('query ($id: ID!) { space(id: $id) { visibility } }', { id });
    expect(space.visibility).toBe(shown.toUpperCase());
    const filtered = async (wanted: string) =>
      (await application.get(`${ORGANIZATION}/spaces?visibility=${wanted}&limit=100`)).body.items.some(
        (item: Json) => item.id === id,
      );
    expect([visibility, await filtered(visibility), await filtered(shown)]).toEqual([
      visibility,
      visibility === shown,
      true,
    ]);
  }
});

test('it is not told whether a user whom it asks for a review is a member', async () => {
  const spaceId = await spaceTitled('Reviewed', { defaultLevel: null });
  await admin.patch(`/v1/spaces/${spaceId}`, { defaultLevel: null });
  const application = await limitedTo(spaceId);
  const { id } = await made(application, `/v1/spaces/${spaceId}/change-requests`, { subject: 'Seals' });
  const asking = async (client: Client, userId = '') => {
    const path = `/v1/spaces/${spaceId}/change-requests/${id}/requested-reviewers`;
    const { status, body } = await client.post(path, { users: [userId] });
    return JSON.stringify([status, body.error]).replaceAll(userId, 'user');
  };
  const [absent, blind] = [await asking(application, outsider.userId), await asking(application, guest.userId)];
  expect(blind.replace(/"requestId":"[^"]*"/, '')).toBe(absent.replace(/"requestId":"[^"]*"/, ''));
  expect(absent).toContain('is not a member who can see the space');
  expect(await asking(editor, guest.userId)).toContain('cannot see the space');
});

test('import runs and translated pages of its spaces name nothing else', async () => {
  const spaceId = await spaceTitled('Imported');
  const site = await siteWith(admin, organizationId, { title: 'Help' });
  const wanted = {
    source: { type: 'website', url: 'https://example.com/' },
    target: { space: spaceId },
    site: site.id,
  };
  const started = await admin.post(`/v1/org/${organizationId}/imports`, wanted);
  expect([started.body.error, started.body.site]).toEqual([undefined, site.id]);
  const { makeSpace, create, work } = translating(here);
  const source = await makeSpace({ One: 'Penguins swim.' });
  const { translationId, translatedId } = await create(source.spaceId);
  await work(translationId);
  await here.grant(translatedId, editor.userId, 'edit');
  const application = await limitedTo(spaceId, translatedId);
  const query = 'query ($id: ID!) { node(id: $id) { ... on ImportRun { id siteId } } }';
  const { id } = started.body;
  expect((await admin.graphql(query, { id })).node).toEqual({ id, siteId: site.id });
  expect((await application.graphql(query, { id })).node).toEqual({ id, siteId: null });
  const page = `/v1/spaces/${translatedId}/content/page/${source.pageIds.One}`;
  expect(JSON.stringify((await editor.get(page)).body)).toContain(source.spaceId);
  const { status, body } = await application.get(page);
  expect([status, body.computed]).toEqual([200, undefined]);
  for (const hidden of [source.spaceId, translationId]) expect(JSON.stringify(body)).not.toContain(hidden);
  const dependencies = { translation: { ref: { kind: 'translation', translation: translationId } } };
  const computed = { type: 'builtin:translation', props: {}, dependencies };
  const changes = [{ insertPage: { kind: 'COMPUTED', title: 'Deutsch', computed } }];
  await admin.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds');
  const sourceFor = async (client: Client) => {
    const pages = 'pages { ... on ComputedPage { computed { type props dependencies } } }';
    const document = `query ($id: ID!) { space(id: $id) { revision(computed: false) { ${pages} } } }`;
    return (await client.graphql(document, { id: spaceId })).space.revision.pages[0].computed;
  };
  expect([await sourceFor(editor), await sourceFor(application)]).toEqual([
    computed,
    { ...computed, dependencies: {} },
  ]);
});

test('a space that is transferred leaves it for good, also where it reaches the other organization', async () => {
  const moved = await spaceTitled('Tanks');
  const { id: abroad } = await made(outsider, `/v1/orgs/${otherOrganizationId}/spaces`, { title: 'Gauges' });
  const application = await limitedTo(moved, abroad);
  const statuses = () =>
    Promise.all([moved, abroad].map(async (id) => (await application.get(`/v1/spaces/${id}`)).status));
  expect(await statuses()).toEqual([200, 200]);
  const transfer = async (organization: string) => {
    expect((await admin.post(`/v1/spaces/${moved}/transfer`, { organization })).status).toBe(200);
    advance(5_000);
    expect(await statuses()).toEqual([404, 200]);
  };
  await transfer(otherOrganizationId);
  expect((await editor.get(`/v1/spaces/${moved}`)).status).toBe(200);
  const [grant] = (await editor.get('/v1/user/oauth-grants')).body.items;
  expect([grant.spaceIds, grant.organizationIds]).toEqual([[abroad], [otherOrganizationId]]);
  // Without a space there, it does not even see the title of the organization.
  expect((await application.get(ORGANIZATION)).status).toBe(404);
  await transfer(organizationId);
});

test('an import that does not fit into its request fails as one that must not continue', async () => {
  const spaceId = await spaceTitled('Slow');
  const application = await limitedTo(spaceId);
  const { promise, resolve } = Promise.withResolvers<void>();
  const site = await makeSite({ '/docs.zip': (_request, response) => void promise.then(() => response.end()) });
  const answer = await application.send(
    'POST',
    `/v1/spaces/${spaceId}/content/import`,
    { url: `${site.url}/docs.zip`, source: 'zip' },
    { prefer: 'respond-async' },
  );
  resolve();
  expect([answer.status, answer.body.error.message]).toEqual([
    400,
    expect.stringMatching(/^url: import-too-large.*limited to some spaces/),
  ]);
});

test('merge rules of the organization are unmet without names, and those of the space with them', async () => {
  const spaceId = await spaceTitled('Ruled');
  const rules = [
    { rule: 'require_specific_reviewers', users: [admin.userId] },
    { rule: 'require_one_of_specific_reviewers', users: [admin.userId] },
    { rule: 'custom', expression: `actor.id == "${admin.userId}"`, message: 'Only the Admin merges.' },
    { rule: 'require_at_least_one_review' },
  ];
  expect((await admin.patch(ORGANIZATION, { mergeRules: { type: 'rules', rules } })).status).toBe(200);
  const application = await limitedTo(spaceId);
  const { id } = await made(application, `/v1/spaces/${spaceId}/change-requests`, { subject: 'Seals' });
  const merging = async (client: Client) => {
    const { status, body } = await client.post(`/v1/spaces/${spaceId}/change-requests/${id}/merge`);
    expect(status).toBe(412);
    return JSON.stringify(body);
  };
  expect(await merging(editor)).toContain('Still needs approval by Admin.');
  const told = await merging(application);
  for (const name of ['Admin', admin.userId]) expect(told).not.toContain(name);
  for (const part of [
    'by reviewers whom',
    'by a reviewer whom',
    'A condition of the organization',
    'not been reviewed',
  ])
    expect(told).toContain(part);
  expect((await admin.patch(`/v1/spaces/${spaceId}`, { mergeRules: { type: 'rules', rules } })).status).toBe(200);
  expect(await merging(application)).toContain('Still needs approval by Admin.');
  expect((await admin.patch(ORGANIZATION, { mergeRules: { type: 'rules', rules: [] } })).status).toBe(200);
});

test('a person who sees few of many spaces with a title is told that there may be more', async () => {
  const hidden = await spaceTitled('Aaa');
  await here.grant(hidden, editor.userId, 'none');
  await sql`
    insert into space select (jsonb_populate_record(s, jsonb_build_object(
      'id', 'space_' || lpad(n::text, 26, '0'), 'title', 'Aaa ' || n, 'default_level', null))).*
    from space s, generate_series(1, 1000) n where s.id = ${hidden}`.execute(db);
  const { path, account } = await questionAt(browser, robot.addressFor(makeVerifier()));
  const searched = async (space_search: string) =>
    (await browser.submit(path, { account, reach: 'spaces', decision: 'search', space_search })).text();
  const found = await searched('aaa');
  expect(found).toContain('There are more spaces. Search for a longer part of the title.');
  expect(found).not.toContain('No space has such a title.');
  expect(await searched('no such title')).toContain('No space has such a title.');
});
