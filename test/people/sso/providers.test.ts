import { expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import { world } from '../../world.ts';
import { makeCredentials } from './certificate.ts';

const { admin, creator, outsider, anonymous, guest, organizationId, otherOrganizationId } = await world();
const { certificate } = makeCredentials();
const path = `/v1/orgs/${organizationId}/saml`;
const ALL = { entityID: 'urn:example:idp', certificate, ssoURL: 'https://idp.example.com/sso' };

test('a provider is pending until all three settings are there, and active then', async () => {
  const { status, headers, body } = await admin.restAs('createOrganizationSAMLProvider', 'POST', path, {
    label: 'Okta',
  });
  expect([status, headers.get('location')]).toEqual([201, body.urls.location]);
  expect(body).toMatchObject({
    object: 'saml-provider',
    label: 'Okta',
    status: 'pending',
    entityID: '',
    certificate: '',
    ssoURL: body.service.startURL,
    defaultRole: null,
  });
  const one = `${path}/${body.id}`;
  const active = await admin.restAs('updateOrganizationSAMLProvider', 'PATCH', one, { ...ALL, defaultRole: 'edit' });
  expect([active.status, active.body]).toEqual([
    200,
    expect.objectContaining({ ...ALL, certificate: certificate.trim(), status: 'active', defaultRole: 'edit' }),
  ]);
  const { organization } = await admin.graphql(
    `{ organization(id: "${organizationId}") { samlProvider(id: "${body.id}") {
      id label ssoUrl entityId certificate defaultRole status defaultTeam { id } service { acsUrl startUrl entityId } } } }`,
  );
  expect(organization.samlProvider).toMatchObject({
    id: body.id,
    status: 'ACTIVE',
    ssoUrl: ALL.ssoURL,
    defaultRole: 'EDIT',
  });
  expect((await admin.patch(one, { certificate: null })).body).toMatchObject({ status: 'pending', certificate: '' });
  expect((await admin.delete(one)).status).toBe(204);
  expect((await admin.get(one)).status).toBe(404);
  expect((await admin.delete(one)).status).toBe(204);
});

test('providers are created, updated and deleted in the graph, and listed oldest first', async () => {
  const { samlProvider } = await admin.mutate(
    'createSamlProvider',
    { organizationId, label: 'First', entityId: ALL.entityID, certificate, ssoUrl: ALL.ssoURL },
    'samlProvider { id version }',
  );
  await admin.post(path, { label: 'Second' });
  const updated = await admin.mutate(
    'updateSamlProvider',
    { samlProviderId: samlProvider.id, label: 'Renamed', expectedVersion: samlProvider.version },
    'samlProvider { label }',
  );
  expect(updated.samlProvider.label).toBe('Renamed');
  const { organization, ssoLogins } = await admin.graphql(
    `{ organization(id: "${organizationId}") { samlProviders { totalCount nodes { label status } } ssoLogins { id label startUrl } }
       ssoLogins(organizationId: "${organizationId}") { id label startUrl } }`,
  );
  expect(organization.samlProviders).toEqual({
    totalCount: 2,
    nodes: [
      { label: 'Renamed', status: 'ACTIVE' },
      { label: 'Second', status: 'PENDING' },
    ],
  });
  expect(organization.ssoLogins).toMatchObject([{ id: `login:${samlProvider.id}`, label: 'Renamed' }]);
  expect(ssoLogins).toEqual(organization.ssoLogins);
  const { body } = await anonymous.restAs(
    'listSSOProviderLoginsInOrganization',
    'GET',
    `/v1/orgs/${organizationId}/sso`,
  );
  expect(body.items).toEqual([{ id: samlProvider.id, label: 'Renamed', startURL: organization.ssoLogins[0].startUrl }]);
  const listed = await admin.restAs('listSAMLProvidersInOrganizationById', 'GET', path);
  expect(listed.body.count).toBe(2);
  const deleted = await admin.mutate(
    'deleteSamlProvider',
    { samlProviderId: samlProvider.id },
    'deletedId organization { id }',
  );
  expect(deleted).toEqual({ deletedId: samlProvider.id, organization: { id: organizationId } });
});

test('the SSO logins of an organization that does not exist are an empty list', async () => {
  expect((await anonymous.get(`/v1/orgs/${newId('org')}/sso`)).body).toEqual({ items: [] });
});

const weak = makeCredentials(1_024).certificate;

test.each([
  [{ label: '' }, 'label'],
  [{ label: 'x'.repeat(31) }, 'label'],
  [{}, 'label'],
  [{ label: 'x', entityID: 'e'.repeat(1_025) }, 'entityID'],
  [{ label: 'x', certificate: 'c'.repeat(10_001) }, 'certificate'],
  [{ label: 'x', certificate: 'hello' }, 'certificate'],
  [{ label: 'x', certificate: weak }, 'certificate'],
  [{ label: 'x', certificate: certificate.replace('MII', 'MIX') }, 'certificate'],
  [{ label: 'x', ssoURL: 'javascript:alert(1)' }, 'ssoURL'],
  [{ label: 'x', ssoURL: `https://idp.example/${'x'.repeat(2_048)}` }, 'ssoURL'],
  [{ label: 'x', defaultRole: 'owner' }, 'defaultRole'],
  [{ label: 'x', defaultTeam: 'team_01h455vb4pex5vsknk084sn02q' }, 'defaultTeam'],
])('%j is BAD_USER_INPUT', async (body, property) => {
  const answer = await admin.post(path, body);
  expect([answer.status, answer.body.error.issues[0].path]).toEqual([400, [property]]);
});

test('an organization has up to 20 providers', async () => {
  const { organization } = await creator.mutate('createOrganization', { title: 'Initech' }, 'organization { id }');
  const answers = [];
  for (let count = 0; count < 21; count++) {
    answers.push((await creator.post(`/v1/orgs/${organization.id}/saml`, { label: `${count}` })).status);
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
    expect((await client.get(`${path}/${body.id}`)).status).toBe(status);
    expect((await client.patch(`${path}/${body.id}`, { label: 'x' })).status).toBe(status);
    expect((await client.delete(`${path}/${body.id}`)).status).toBe(status);
  }
  expect((await outsider.get(`/v1/orgs/${otherOrganizationId}/saml/${body.id}`)).status).toBe(404);
  const { organization } = await outsider.graphql(
    `{ organization(id: "${otherOrganizationId}") { samlProvider(id: "${body.id}") { id } } }`,
  );
  expect(organization.samlProvider).toBeNull();
});

test('a member becomes an SSO member, and a stranger does not', async () => {
  const members = `/v1/orgs/${organizationId}/members`;
  const { status, body } = await admin.restAs(
    'setUserAsSSOMemberForOrganization',
    'POST',
    `${members}/${creator.userId}/sso`,
  );
  expect([status, body.sso, body.role]).toEqual([200, true, 'create']);
  expect((await admin.post(`${members}/${outsider.userId}/sso`)).status).toBe(400);
  expect((await creator.post(`${members}/${creator.userId}/sso`)).status).toBe(403);
});
