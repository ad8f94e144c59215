import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { statementsOf } from '../../client.ts';
import { settled } from '../../settled.ts';
import { world } from '../../world.ts';
import { startSecond } from '../access/second-process.ts';
import { GROUP, ScimClient, scimOf, USER } from './scim-client.ts';

const here = await world();
const { admin, outsider, reader, creator, organizationId, otherOrganizationId, url, app, eventsBy } = here;
const scim = await scimOf(admin, organizationId);
const other = await scimOf(outsider, otherOrganizationId);
const second = await startSecond(here.databaseUrl);
const elsewhere = `http://127.0.0.1:${await second.listen()}`;
const tokens = `/v1/orgs/${organizationId}/scim-tokens`;

const withToken = (token: string | undefined, id = organizationId) => new ScimClient(url, id, token);

test('a token is shown once, has a prefix of its own, and tells of its last use', async () => {
  const made = await admin.post(tokens, { label: 'Entra' });
  expect(made.status).toBe(201);
  const { secret, ...shown } = made.body;
  expect(secret).toMatch(/^stemma_scim_[\w-]{43}$/);
  expect(shown).toMatchObject({ object: 'scim-token', label: 'Entra' });
  expect(shown.baseURL).toMatch(new RegExp(`/scim/v2/${organizationId}$`));
  expect(shown).not.toHaveProperty('lastUsedAt');
  expect((await withToken(secret).get('/Users')).status).toBe(200);
  const listed = (await admin.get(tokens)).body.items.find(({ id }: { id: string }) => id === shown.id);
  expect(listed).toMatchObject({ ...shown, lastUsedAt: expect.any(String) });
  expect(JSON.stringify((await admin.get(tokens)).body)).not.toContain(secret);
  const stored = await app.services.db.selectFrom('scim_token').where('id', '=', shown.id).selectAll().execute();
  expect(JSON.stringify(stored)).not.toContain(secret.slice('stemma_scim_'.length));

  const { organization } = await admin.graphql(
    'query ($id: ID!) { organization(id: $id) { scimTokens(first: 50) { nodes { id label lastUsedAt baseUrl } } } }',
    { id: organizationId },
  );
  expect(organization.scimTokens.nodes.map(({ label }: { label: string }) => label)).toEqual(['Directory', 'Entra']);
  const { scimToken, secret: second } = await admin.mutate(
    'createScimToken',
    { organizationId, label: 'Okta' },
    'scimToken { id label } secret',
  );
  expect((await withToken(second).get('/Users')).status).toBe(200);
  const { deletedId } = await admin.mutate('revokeScimToken', { scimTokenId: scimToken.id }, 'deletedId');
  expect(deletedId).toBe(scimToken.id);
  expect((await withToken(second).get('/Users')).status).toBe(401);
  expect((await admin.delete(`${tokens}/${shown.id}`)).status).toBe(204);
  expect((await withToken(secret).get('/Users')).status).toBe(401);
  const kinds = (await eventsBy()).map(({ type }) => type);
  expect(kinds.filter((kind) => kind.startsWith('scim_token'))).toHaveLength(5);
});

test('only admins make, list and revoke tokens of their organization', async () => {
  const [token] = (await admin.get(tokens)).body.items;
  for (const [client, status] of [
    [creator, 403],
    [reader, 403],
    [outsider, 404],
  ] as const) {
    expect((await client.post(tokens, { label: 'x' })).status).toBe(status);
    expect((await client.get(tokens)).status).toBe(status);
    expect((await client.delete(`${tokens}/${token.id}`)).status).toBe(status);
  }
  expect((await outsider.delete(`/v1/orgs/${otherOrganizationId}/scim-tokens/${token.id}`)).status).toBe(204);
  expect((await scim.get('/Users')).status).toBe(200);
  expect((await admin.post(tokens, { label: ' ' })).status).toBe(400);
  expect((await admin.post(tokens, { label: 'Past', expiresAt: '2020-01-01T00:00:00Z' })).status).toBe(400);
});

test('an organization has up to twenty tokens, and an expired one is refused', async () => {
  const expiresAt = new Date(Date.now() + 1_000).toISOString();
  const made = await outsider.post(`/v1/orgs/${otherOrganizationId}/scim-tokens`, { label: 'Short', expiresAt });
  const client = withToken(made.body.secret, otherOrganizationId);
  expect((await client.get('/Users')).status).toBe(200);
  await expect.poll(async () => (await client.get('/Users')).status, { timeout: 5_000 }).toBe(401);
  const more = () => outsider.post(`/v1/orgs/${otherOrganizationId}/scim-tokens`, { label: 'More' });
  for (let count = 2; count < 20; count++) expect((await more()).status).toBe(201);
  expect((await more()).status).toBe(409);
});

test('a token is valid for SCIM of its organization alone, and no other token is valid there', async () => {
  const { token } = scim;
  for (const path of [
    '/v1/user',
    `/v1/orgs/${organizationId}/members`,
    '/v1/orgs',
    `/v1/orgs/${organizationId}/events`,
  ])
    expect((await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })).status, path).toBe(401);
  const graph = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"query":"{ viewer { id } }"}',
  });
  expect(graph.status).toBe(401);
  const refused = [
    withToken(token, otherOrganizationId),
    withToken(token, 'org_00000000000000000000000000'),
    withToken(token, 'x'),
    withToken('stemma_scim_guess'),
    withToken(undefined),
    withToken(admin.token),
    withToken(admin.token, 'org_00000000000000000000000000'),
  ];
  const answers = await Promise.all(refused.map((client) => client.get('/Users')));
  for (const [at, answer] of answers.entries()) {
    expect(answer.status).toBe(401);
    const challenge = refused[at]?.token === undefined ? 'Bearer' : 'Bearer error="invalid_token"';
    expect(answer.headers.get('www-authenticate')).toBe(challenge);
  }
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  for (const client of refused) expect((await client.post('/Users', { userName: 'x' })).status).toBe(401);
  for (const client of refused) expect((await client.get('/ServiceProviderConfig')).status).toBe(401);
});

test('an organization neither reads nor changes users and groups of another', async () => {
  const user = await scim.user('isolated@acme.example', { externalId: 'same' });
  const group = await scim.group('Isolated', [user.id]);
  const theirs = await other.user('isolated@acme.example', { externalId: 'same' });
  expect(theirs.id).not.toBe(user.id);
  const theirGroup = await other.group('Isolated');
  for (const path of [`/Users/${user.id}`, `/Groups/${group.id}`]) {
    const schema = path.startsWith('/Users') ? USER : GROUP;
    expect((await other.get(path)).status).toBe(404);
    expect((await other.delete(path)).status).toBe(404);
    const body = { schemas: [schema], userName: 'isolated@acme.example', displayName: 'x' };
    expect((await other.put(path, body)).status).toBe(404);
    expect((await other.patch(path, [{ op: 'replace', path: 'displayName', value: 'x' }])).status).toBe(404);
  }
  for (const filter of ['externalId eq "same"', 'userName eq "isolated@acme.example"', `id pr and userName sw "iso"`])
    expect((await other.find('Users', filter)).map(({ id }) => id)).toEqual([theirs.id]);
  expect(await other.find('Groups', `members.value eq "${user.id}"`)).toEqual([]);
  const foreign = await other.patch(`/Groups/${theirGroup.id}`, [
    { op: 'add', path: 'members', value: [{ value: user.id }] },
  ]);
  expect(foreign).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
  expect((await scim.get(`/Users/${user.id}`)).body).toEqual({
    ...user,
    groups: [expect.objectContaining({ value: group.id })],
    meta: { ...user.meta, version: expect.any(String) },
  });
});

test('an account that is not a member is never used, whoever has verified the address', async () => {
  const made = await scim.user('outsider@globex.example', { displayName: 'Somebody' });
  expect(made.id).not.toBe(outsider.userId);
  expect(made.displayName).toBe('Somebody');
  const account = await app.services.db
    .selectFrom('user')
    .where('id', '=', outsider.userId)
    .select(['displayName', 'email'])
    .executeTakeFirst();
  expect(account).toEqual({ displayName: 'Outsider', email: 'outsider@globex.example' });
  expect((await scim.get(`/Users/${outsider.userId}`)).status).toBe(404);
  expect((await outsider.get('/v1/user')).body.id).toBe(outsider.userId);
});

test('a member whom SCIM does not manage yet becomes the user with its address, and the account stays as it is', async () => {
  const { status, body } = await scim.post('/Users', {
    schemas: [USER],
    userName: 'r.reader',
    displayName: 'Renamed',
    emails: [{ value: 'READER@acme.example', primary: true }],
  });
  expect(status, JSON.stringify(body)).toBe(201);
  expect(body).toMatchObject({ id: reader.userId, userName: 'r.reader', displayName: 'Renamed' });
  const own = (await reader.get('/v1/user')).body;
  expect(own).toMatchObject({ displayName: 'Reader', email: 'reader@acme.example' });
  expect((await scim.post('/Users', { schemas: [USER], userName: 'R.Reader' })).status).toBe(409);
});

test('two organizations that are provisioned at once never mix', async () => {
  const rounds = Array.from({ length: 30 }, (_, index) => index);
  const clients = [scim, other];
  const answers = await Promise.all(
    rounds.flatMap((round) =>
      clients.map(async (client, at) => {
        const made = await client.user(`mixed-${round}@acme.example`, { externalId: `of ${at}`, title: `of ${at}` });
        const group = await client.group(`Mixed ${round}`, [made.id]);
        const patched = await client.patch(`/Users/${made.id}`, [{ op: 'add', path: 'nickName', value: `of ${at}` }]);
        const list = await client.get(`/Users?filter=${encodeURIComponent('userName sw "mixed-"')}&count=200`);
        const types = await client.get('/ResourceTypes');
        const schemas = await client.get('/Schemas');
        return { at, made, group, patched: patched.body, list: list.body, types: types.body, schemas: schemas.body };
      }),
    ),
  );
  const ids = [organizationId, otherOrganizationId];
  for (const { at, ...bodies } of answers) {
    const text = JSON.stringify(bodies);
    expect(text).toContain(`/scim/v2/${ids[at]}/`);
    expect(text).not.toContain(`${ids[1 - at]}`);
    expect(text).not.toContain(`of ${1 - at}`);
    expect(bodies.patched.nickName).toBe(`of ${at}`);
  }
  for (const [at, client] of clients.entries()) {
    const users = await client.find('Users', `title eq "of ${at}"`);
    expect(users).toHaveLength(rounds.length);
    expect(await client.find('Users', `title eq "of ${1 - at}"`)).toEqual([]);
  }
});

test('the last admin is not deactivated or removed', async () => {
  for (const answer of [
    await scim.patch(`/Users/${admin.userId}`, [{ op: 'replace', path: 'active', value: false }]),
    await scim.put(`/Users/${admin.userId}`, { schemas: [USER], userName: 'admin@acme.example', active: 'False' }),
    await scim.delete(`/Users/${admin.userId}`),
  ]) {
    expect(answer.status).toBe(409);
    expect(answer.body.detail).toContain('last admin');
    expect(answer.body).not.toHaveProperty('scimType');
  }
  expect((await scim.get(`/Users/${admin.userId}`)).body.active).toBe(true);
  expect((await admin.get('/v1/user')).status).toBe(200);
});

test('of two admins who are deactivated at once, one remains', async () => {
  const member = `/v1/orgs/${organizationId}/members`;
  const both = [admin.userId, creator.userId];
  const setActive = (id: string, active: boolean) =>
    scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: active }]);
  for (let round = 0; round < 5; round++) {
    expect((await admin.patch(`${member}/${creator.userId}`, { role: 'admin' })).status).toBe(200);
    const answers = await Promise.all(both.map((id) => setActive(id, false)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    for (const id of both) expect((await setActive(id, true)).status).toBe(200);
    expect((await admin.patch(`${member}/${creator.userId}`, { role: 'create' })).status).toBe(200);
  }
});

test('an admin who restores access when the identity provider fails does not end with it', async () => {
  const member = `/v1/orgs/${organizationId}/members/${creator.userId}`;
  const deactivate = () => scim.patch(`/Users/${creator.userId}`, [{ op: 'replace', path: 'active', value: false }]);
  expect((await admin.patch(member, { role: 'admin' })).status).toBe(200);
  expect((await admin.put(`${member}/break-glass`, { breakGlass: true })).status).toBe(200);
  for (const answer of [await deactivate(), await scim.delete(`/Users/${creator.userId}`)])
    expect([answer.status, answer.body.detail]).toEqual([409, expect.stringContaining('restores access')]);
  expect((await admin.get(member)).body.disabled).toBe(false);
  await admin.put(`${member}/break-glass`, { breakGlass: false });
  await admin.patch(member, { role: 'create' });
});

test('a revoked token ends in another process within five seconds', async () => {
  const { body } = await admin.post(tokens, { label: 'Ending' });
  const client = new ScimClient(elsewhere, organizationId, body.secret);
  expect((await client.get('/Users?count=0')).status).toBe(200);
  expect((await admin.delete(`${tokens}/${body.id}`)).status).toBe(204);
  await expect.poll(async () => (await client.get('/Users?count=0')).status, { timeout: 5_000 }).toBe(401);
});

test('a deactivated member loses access in every process within five seconds, and gets it back', async () => {
  const statusAt = async (at: string) =>
    (await fetch(`${at}/v1/orgs/${organizationId}/members`, { headers: { authorization: `Bearer ${creator.token}` } }))
      .status;
  const space = await creator.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Stays' });
  expect(space.status).toBe(201);
  expect([await statusAt(url), await statusAt(elsewhere)]).toEqual([200, 200]);
  await scim.patch(`/Users/${creator.userId}`, [{ op: 'Replace', path: 'active', value: 'False' }]);
  expect(await statusAt(url)).toBe(404);
  await expect.poll(() => statusAt(elsewhere), { timeout: 5_000 }).toBe(404);
  expect((await admin.get(`/v1/spaces/${space.body.id}`)).status).toBe(200);
  await scim.patch(`/Users/${creator.userId}`, [{ op: 'Replace', path: 'active', value: 'True' }]);
  expect(await statusAt(url)).toBe(200);
  await expect.poll(() => statusAt(elsewhere), { timeout: 5_000 }).toBe(200);
  expect((await creator.get(`/v1/spaces/${space.body.id}`)).status).toBe(200);
});

test('a removed member leaves its teams, and its content stays', async () => {
  const { body: team } = await admin.put(`/v1/orgs/${organizationId}/teams`, { title: 'Leaving' });
  const user = await scim.user('leaving@acme.example');
  await admin.put(`/v1/orgs/${organizationId}/teams/${team.id}/members/${user.id}`, {});
  expect((await scim.get(`/Users/${user.id}`)).body.groups).toMatchObject([{ value: team.id }]);
  expect((await scim.delete(`/Users/${user.id}`)).status).toBe(204);
  expect((await scim.get(`/Groups/${team.id}`)).body.members).toMatchObject([{ value: admin.userId }]);
  expect(await app.services.db.selectFrom('user').where('id', '=', user.id).selectAll().execute()).toHaveLength(1);
  const again = await scim.user('leaving@acme.example');
  expect(again.id).not.toBe(user.id);
});

test('an owner of a team keeps the role while a group is replaced', async () => {
  const { body: team } = await admin.put(`/v1/orgs/${organizationId}/teams`, { title: 'Owned' });
  const user = await scim.user('owned@acme.example');
  const members = [{ value: admin.userId }, { value: user.id }];
  const put = await scim.put(`/Groups/${team.id}`, { schemas: [GROUP], displayName: 'Owned by IT', members });
  expect(put.status, JSON.stringify(put.body)).toBe(200);
  const { body } = await admin.get(`/v1/orgs/${organizationId}/teams/${team.id}/members`);
  const roles = body.items.map((item: { team: { role: string }; organization: { id: string } }) => [
    item.organization.id,
    item.team.role,
  ]);
  expect(new Map(roles)).toEqual(
    new Map([
      [admin.userId, 'owner'],
      [user.id, 'member'],
    ]),
  );
});

test('every change is an audited event of the token', async () => {
  const [token] = (await admin.get(tokens)).body.items;
  const user = await scim.user('audited@acme.example', { externalId: 'A-1' });
  await scim.patch(`/Users/${user.id}`, [{ op: 'replace', path: 'userName', value: 'renamed@acme.example' }]);
  await scim.patch(`/Users/${user.id}`, [{ op: 'replace', path: 'active', value: false }]);
  const group = await scim.group('Audited', [user.id]);
  await scim.patch(`/Groups/${group.id}`, [
    { op: 'replace', path: 'displayName', value: 'Audited 2' },
    { op: 'replace', path: 'externalId', value: 'G-1' },
    { op: 'remove', path: 'members' },
  ]);
  await scim.delete(`/Groups/${group.id}`);
  await scim.delete(`/Users/${user.id}`);
  await settled(app.services.db);
  const { body } = await admin.get(`/v1/orgs/${organizationId}/audit-events?limit=100&actor=${token.id}`);
  const about = body.items.filter(({ ids }: { ids: Record<string, string> }) =>
    Object.values(ids).some((id) => id === user.id || id === group.id),
  );
  expect(about.map(({ type }: { type: string }) => type).sort()).toEqual(
    [
      ...['member_joined', 'scim_user_updated', 'scim_user_updated', 'member_updated', 'member_removed'],
      ...['team_created', 'team_members_updated', 'team_updated', 'scim_group_updated', 'team_members_updated'],
      'team_deleted',
    ].sort(),
  );
  for (const event of about) {
    expect(event.client).toMatchObject({ kind: 'scim', scimTokenId: token.id, address: expect.any(String) });
    expect(event.actor).toBe(token.id);
  }
  const renamed = about.find(({ changes }: { changes: { setting: string; to: string }[] }) =>
    changes.some(({ to }) => to === 'renamed@acme.example'),
  );
  const change = { from: 'audited@acme.example', to: 'renamed@acme.example' };
  expect(new Map(renamed.changes.map((each: { setting: string }) => [each.setting, each]))).toEqual(
    new Map(['userName', 'email', 'displayName'].map((setting) => [setting, { setting, ...change }])),
  );
});

test('what changes nothing is no event', async () => {
  const user = await scim.user('same@acme.example', { title: 'T' });
  const before = await eventsBy();
  const { body } = await scim.get(`/Users/${user.id}`);
  expect((await scim.put(`/Users/${user.id}`, body)).headers.get('etag')).toBe(body.meta.version);
  await scim.patch(`/Users/${user.id}`, [{ op: 'replace', path: 'title', value: 'T' }]);
  await scim.patch(`/Users/${user.id}`, [{ op: 'add', path: 'active', value: 'True' }]);
  expect(await eventsBy()).toHaveLength(before.length);
});

test('a blocked organization can be read, and not changed', async () => {
  const { db } = app.services;
  const block = (reason: string | null) =>
    db
      .updateTable('organization')
      .set({ blocked: reason === null ? null : (JSON.stringify({ reason }) as never) })
      .where('id', '=', otherOrganizationId)
      .execute();
  await block('unpaid');
  expect((await other.get('/Users')).status).toBe(200);
  expect((await other.post('/Users', { schemas: [USER], userName: 'blocked' })).status).toBe(403);
  expect((await other.post('/Groups', { schemas: [GROUP], displayName: 'blocked' })).status).toBe(403);
  await block(null);
  expect((await other.post('/Groups', { schemas: [GROUP], displayName: 'blocked' })).status).toBe(201);
});

test('the statements of a list do not depend on its length', async () => {
  const statements = async (path: string) => {
    const { headers } = await scim.get(path);
    return statementsOf({ headers } as never);
  };
  for (const kind of ['Users', 'Groups']) {
    const [few, many] = [await statements(`/${kind}?count=1`), await statements(`/${kind}?count=200`)];
    expect(many).toBe(few);
    expect(few).toBeLessThanOrEqual(3);
  }
});

test('the groups of users are bounded, in their version, and not read if they are not shown', async () => {
  const { db } = app.services;
  const user = await scim.user('grouped@acme.example');
  const group = await scim.group('Grouped', [user.id]);
  const first = await scim.get(`/Users/${user.id}?excludedAttributes=groups`);
  expect(first.body).not.toHaveProperty('groups');
  await scim.patch(`/Groups/${group.id}`, [{ op: 'replace', path: 'displayName', value: 'Grouped anew' }]);
  const second = await scim.get(`/Users/${user.id}?excludedAttributes=groups`);
  expect(second.body.meta.version).not.toBe(first.body.meta.version);
  expect((await scim.get(`/Users/${user.id}`)).body).toMatchObject({
    groups: [{ display: 'Grouped anew' }],
    meta: { version: second.body.meta.version },
  });
  const count = 50_001;
  const ids = Array.from({ length: count }, (_, at) => `team_many${at}`);
  await sql`insert into team (id, organization_id, title, created_at)
    select id, ${organizationId}, id, now() from unnest(${ids}::text[]) as id`.execute(db);
  await sql`insert into team_member (organization_id, team_id, user_id, added_at)
    select ${organizationId}, id, ${user.id}, now() from unnest(${ids}::text[]) as id`.execute(db);
  const many = await scim.get(`/Users/${user.id}`);
  expect([many.status, many.body.scimType]).toEqual([400, 'tooMany']);
  expect((await scim.get(`/Users/${user.id}?excludedAttributes=groups`)).status).toBe(200);
  expect((await scim.get(`/Users/${user.id}?attributes=userName`)).status).toBe(200);
  await sql`delete from team_member where team_id = any(${ids}::text[])`.execute(db);
  await sql`delete from team where id = any(${ids}::text[])`.execute(db);
});

test('requests are counted by token, and those with unknown tokens by address', async () => {
  const { headers } = await scim.get('/Users?count=0');
  const limit = Number(headers.get('x-ratelimit-limit'));
  expect(limit).toBeGreaterThan(0);
  const before = Number(headers.get('x-ratelimit-remaining'));
  const next = await scim.get('/Users?count=0');
  expect(Number(next.headers.get('x-ratelimit-remaining'))).toBe(before - 1);
});
