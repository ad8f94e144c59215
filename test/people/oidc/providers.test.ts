import { expect, test } from 'vitest';
import { settled } from '../../settled.ts';
import { world } from '../../world.ts';
import { Browser } from '../sso/browser.ts';

const { app, admin, creator, outsider, anonymous, guest, url, organizationId, otherOrganizationId } = await world();
const { db, config } = app.services;
const { publicUrl } = config;
const path = `/v1/orgs/${organizationId}/oidc`;
const ALL = { issuer: 'https://idp.example.com/realms/acme', clientID: 'stemma', clientSecret: 'a secret of a client' };

test('a provider is pending until all three settings are there, and active then', async () => {
  const { status, headers, body } = await admin.post(path, {
    label: 'Keycloak',
  });
  expect([status, headers.get('location')]).toEqual([201, body.urls.location]);
  expect(body).toMatchObject({
    object: 'oidc-provider',
    label: 'Keycloak',
    status: 'pending',
    issuer: null,
    clientID: null,
    hasClientSecret: false,
    groupTeams: [],
    defaultRole: null,
    service: {
      redirectURL: `${publicUrl}/sso/oidc/${body.id}/callback`,
      startURL: `${publicUrl}/sso/oidc/${body.id}/start`,
      backchannelLogoutURL: `${publicUrl}/sso/oidc/${body.id}/backchannel-logout`,
    },
  });
  const one = `${path}/${body.id}`;
  const active = await admin.patch(one, { ...ALL, defaultRole: 'edit' });
  expect([active.status, active.body]).toMatchObject([
    200,
    { issuer: ALL.issuer, clientID: 'stemma', hasClientSecret: true, status: 'active', defaultRole: 'edit' },
  ]);
  const { organization } = await admin.graphql(
    `{ organization(id: "${organizationId}") { oidcProvider(id: "${body.id}") {
      id label issuer clientId hasClientSecret hasUnreadableSecret groupsClaim defaultRole status defaultTeam { id }
      groupTeams { group teamId } service { redirectUrl startUrl backchannelLogoutUrl } } } }`,
  );
  expect(organization.oidcProvider).toMatchObject({
    id: body.id,
    status: 'ACTIVE',
    issuer: ALL.issuer,
    clientId: 'stemma',
    hasClientSecret: true,
    hasUnreadableSecret: false,
    defaultRole: 'EDIT',
  });
  expect((await admin.patch(one, { clientSecret: null })).body).toMatchObject({
    status: 'pending',
    hasClientSecret: false,
  });
  expect((await admin.delete(one)).status).toBe(204);
  expect((await admin.get(one)).status).toBe(404);
  expect((await admin.delete(one)).status).toBe(204);
});

test('providers are created, updated and deleted in the graph, listed oldest first, and apart from those of SAML', async () => {
  const saml = (await admin.post(`/v1/orgs/${organizationId}/saml`, { label: 'SAML' })).body.id;
  const { oidcProvider } = await admin.mutate(
    'createOidcProvider',
    { organizationId, label: 'First', issuer: ALL.issuer, clientId: ALL.clientID, clientSecret: ALL.clientSecret },
    'oidcProvider { id version }',
  );
  await admin.post(path, { label: 'Second' });
  const updated = await admin.mutate(
    'updateOidcProvider',
    { oidcProviderId: oidcProvider.id, label: 'Renamed', expectedVersion: oidcProvider.version },
    'oidcProvider { label hasClientSecret }',
  );
  expect(updated.oidcProvider).toEqual({ label: 'Renamed', hasClientSecret: true });
  await expect(
    admin.mutate(
      'updateOidcProvider',
      { oidcProviderId: oidcProvider.id, label: 'x', expectedVersion: oidcProvider.version },
      'oidcProvider { id }',
    ),
  ).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
  const { organization, node } = await admin.graphql(
    `{ organization(id: "${organizationId}") { oidcProviders { totalCount nodes { label status } }
       samlProviders { nodes { id } } ssoLogins { id label startUrl } } node(id: "${oidcProvider.id}") { __typename id } }`,
  );
  expect(organization.oidcProviders).toEqual({
    totalCount: 2,
    nodes: [
      { label: 'Renamed', status: 'ACTIVE' },
      { label: 'Second', status: 'PENDING' },
    ],
  });
  expect(organization.samlProviders.nodes).toEqual([{ id: saml }]);
  expect(node).toEqual({ __typename: 'OidcProvider', id: oidcProvider.id });
  const { body } = await anonymous.get(`/v1/orgs/${organizationId}/sso`);
  expect(body.items).toEqual([{ id: oidcProvider.id, label: 'Renamed', startURL: organization.ssoLogins[0].startUrl }]);
  const listed = await admin.get(path);
  expect(listed.body.count).toBe(2);
  expect((await admin.get(`/v1/orgs/${organizationId}/saml/${oidcProvider.id}`)).status).toBe(404);
  expect((await admin.patch(`/v1/orgs/${organizationId}/saml/${oidcProvider.id}`, { label: 'x' })).status).toBe(404);
  expect((await admin.delete(`/v1/orgs/${organizationId}/saml/${oidcProvider.id}`)).status).toBe(204);
  expect((await admin.get(`${path}/${saml}`)).status).toBe(404);
  expect((await admin.delete(`${path}/${saml}`)).status).toBe(204);
  expect((await admin.get(`/v1/orgs/${organizationId}/saml/${saml}`)).status).toBe(200);
  const deleted = await admin.mutate(
    'deleteOidcProvider',
    { oidcProviderId: oidcProvider.id },
    'deletedId organization { id }',
  );
  expect(deleted).toEqual({ deletedId: oidcProvider.id, organization: { id: organizationId } });
});

test.each([
  [{ label: '' }, 'label'],
  [{ label: 'x'.repeat(31) }, 'label'],
  [{}, 'label'],
  [{ label: 'x', issuer: 'idp.example.com' }, 'issuer'],
  [{ label: 'x', issuer: 'javascript:alert(1)' }, 'issuer'],
  [{ label: 'x', issuer: 'http://idp.example.com' }, 'issuer'],
  [{ label: 'x', issuer: 'https://user:secret@idp.example.com' }, 'issuer'],
  [{ label: 'x', issuer: 'https://idp.example.com/?tenant=1' }, 'issuer'],
  [{ label: 'x', issuer: 'https://idp.example.com/#x' }, 'issuer'],
  [{ label: 'x', issuer: 'https://idp.example.com/.well-known/openid-configuration' }, 'issuer'],
  [{ label: 'x', issuer: `https://idp.example/${'x'.repeat(2_048)}` }, 'issuer'],
  [{ label: 'x', clientID: '' }, 'clientID'],
  [{ label: 'x', clientID: 'c'.repeat(257) }, 'clientID'],
  [{ label: 'x', clientSecret: '' }, 'clientSecret'],
  [{ label: 'x', clientSecret: 's'.repeat(1_001) }, 'clientSecret'],
  [{ label: 'x', groupsClaim: ' ' }, 'groupsClaim'],
  [{ label: 'x', groupTeams: [{ group: 'a', teamId: 'team_01h455vb4pex5vsknk084sn02q' }] }, 'groupTeams'],
  [{ label: 'x', groupTeams: [{ group: '', teamId: 'team_01h455vb4pex5vsknk084sn02q' }] }, 'groupTeams'],
  [{ label: 'x', groupTeams: Array(101).fill({}) }, 'groupTeams'],
  [{ label: 'x', defaultRole: 'owner' }, 'defaultRole'],
  [{ label: 'x', defaultTeam: 'team_01h455vb4pex5vsknk084sn02q' }, 'defaultTeam'],
])('%j is BAD_USER_INPUT', async (body, property) => {
  const answer = await admin.post(path, body);
  expect([answer.status, answer.body.error.issues[0].path[0]]).toEqual([400, property]);
});

test('a pair of a group and a team is given once, and teams of others are refused', async () => {
  const team = (await admin.put(`/v1/orgs/${organizationId}/teams`, { title: 'Writers' })).body.id;
  const foreign = (await outsider.put(`/v1/orgs/${otherOrganizationId}/teams`, { title: 'Others' })).body.id;
  const pair = { group: 'writers', teamId: team };
  const twice = await admin.post(path, { label: 'x', groupTeams: [pair, pair] });
  expect([twice.status, twice.body.error.issues[0].path]).toEqual([400, ['groupTeams', 1]]);
  const other = await admin.post(path, { label: 'x', groupTeams: [pair, { group: 'writers', teamId: foreign }] });
  expect([other.status, other.body.error.issues[0].path]).toEqual([400, ['groupTeams', 1, 'teamId']]);
  const { body } = await admin.post(path, { label: 'x', groupsClaim: 'groups', groupTeams: [pair] });
  expect(body).toMatchObject({ groupsClaim: 'groups', groupTeams: [pair] });
  expect((await admin.patch(`${path}/${body.id}`, { groupTeams: null })).body.groupTeams).toEqual([]);
  await admin.delete(`${path}/${body.id}`);
});

test('the client secret is stored encrypted, is shown nowhere, and is not sent to another issuer', async () => {
  const { body } = await admin.post(path, { label: 'Secret', ...ALL });
  const one = `${path}/${body.id}`;
  const row = await db.selectFrom('saml_provider').where('id', '=', body.id).selectAll().executeTakeFirstOrThrow();
  expect(row.clientSecret?.includes(ALL.clientSecret)).toBe(false);
  await settled(db);
  const events = await admin.get(`/v1/orgs/${organizationId}/audit-events?type=oidc_provider_created`);
  for (const shown of [body, (await admin.get(one)).body, events.body]) {
    expect(JSON.stringify(shown)).not.toContain(ALL.clientSecret);
  }
  for (const issuer of ['https://evil.example.com', null]) {
    const refused = await admin.patch(one, { issuer });
    expect([refused.status, refused.body.error.issues[0].path]).toEqual([400, ['clientSecret']]);
  }
  expect((await admin.patch(one, { issuer: ALL.issuer })).status).toBe(200);
  expect((await admin.patch(one, { issuer: 'https://new.example.com', clientSecret: 'new' })).body).toMatchObject({
    issuer: 'https://new.example.com',
    status: 'active',
  });
  await admin.delete(one);
});

test('changed settings are audited without the client secret', async () => {
  const { body } = await admin.post(path, { label: 'Audited', ...ALL });
  await admin.patch(`${path}/${body.id}`, { label: 'Again', clientSecret: 'another secret' });
  await settled(db);
  const { body: audit } = await admin.get(`/v1/orgs/${organizationId}/audit-events?type=oidc_provider_updated`);
  expect(audit.items[0]).toMatchObject({
    ids: { oidcProviderId: body.id },
    changes: [{ setting: 'label', from: 'Audited', to: 'Again' }],
  });
  await admin.delete(`${path}/${body.id}`);
});

test('an organization has up to 20 providers, beside those of SAML', async () => {
  const { organization } = await creator.mutate('createOrganization', { title: 'Initech' }, 'organization { id }');
  expect((await creator.post(`/v1/orgs/${organization.id}/saml`, { label: 'SAML' })).status).toBe(201);
  const answers = [];
  for (let count = 0; count < 21; count++) {
    answers.push((await creator.post(`/v1/orgs/${organization.id}/oidc`, { label: `${count}` })).status);
  }
  expect(answers).toEqual([...Array(20).fill(201), 409]);
});

test('only admins see providers', async () => {
  const { body } = await admin.post(path, { label: 'Hidden' });
  for (const [client, status] of [
    [creator, 403],
    [guest, 403],
    [outsider, 404],
    [anonymous, 401],
  ] as const) {
    expect((await client.get(path)).status).toBe(status);
    expect((await client.post(path, { label: 'x' })).status).toBe(status);
    expect((await client.get(`${path}/${body.id}`)).status).toBe(status);
    expect((await client.patch(`${path}/${body.id}`, { label: 'x' })).status).toBe(status);
    expect((await client.delete(`${path}/${body.id}`)).status).toBe(status);
  }
  expect((await outsider.get(`/v1/orgs/${otherOrganizationId}/oidc/${body.id}`)).status).toBe(404);
  const { organization } = await outsider.graphql(
    `{ organization(id: "${otherOrganizationId}") { oidcProvider(id: "${body.id}") { id } } }`,
  );
  expect(organization.oidcProvider).toBeNull();
});

test('without the setting for private networks, nothing is sent to a private address', async () => {
  const { body } = await admin.post(path, { label: 'Inside', ...ALL, issuer: 'https://127.0.0.1:9' });
  const page = await new Browser(url).open(`${url}/sso/oidc/${body.id}/start`);
  expect([page.status, await page.text()]).toEqual([403, expect.stringContaining('private address')]);
});
