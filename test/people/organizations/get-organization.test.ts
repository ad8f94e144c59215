import { expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import { world } from '../../world.ts';

const { app, admin, creator, reader, guest, outsider, anonymous, organizationId, otherOrganizationId } = await world();

const NONE = {
  view: true,
  access: true,
  admin: false,
  ownTeam: false,
  createContent: false,
  createOpenApiSpec: false,
  ingestConversations: false,
  viewBilling: false,
  listMembers: false,
  listTeams: false,
  listIntegrations: false,
  listInstallations: false,
  installIntegration: false,
};
const READS = { ...NONE, listMembers: true, listTeams: true, listIntegrations: true };
const CREATES = { ...READS, createContent: true, createOpenApiSpec: true };
const ALL = Object.fromEntries(Object.keys(NONE).map((name) => [name, name !== 'ownTeam']));

const query = (selection: string) => `query($id: ID!) { organization(id: $id) { ${selection} } }`;

test.each([
  ['an admin', admin, ALL],
  ['a creator', creator, CREATES],
  ['a reader', reader, READS],
  ['a guest', guest, NONE],
])('%s sees it with their permissions, alike on both transports', async (_who, caller, expected) => {
  const selection = `id title permissions { ${Object.keys(NONE).join(' ')} }`;
  const { organization } = await caller.graphql(query(selection), { id: organizationId });
  expect(organization).toEqual({ id: organizationId, title: 'Acme', permissions: expected });
  const { status, body } = await caller.get(`/v1/orgs/${organizationId}`);
  expect(status).toBe(200);
  const { createOpenAPISpec: createOpenApiSpec, ...permissions } = body.permissions;
  expect({ ...permissions, createOpenApiSpec }).toEqual(expected);
});

test("returns the role of a team's owner", async () => {
  const teamId = newId('team');
  const { db } = app.services;
  await db.insertInto('team').values({ id: teamId, organizationId, title: 'Writers' }).execute();
  const membership = { teamId, organizationId, role: 'owner' as const };
  await db
    .insertInto('team_member')
    .values({ ...membership, userId: guest.userId })
    .execute();
  const { organization } = await guest.graphql(query('permissions { ownTeam }'), { id: organizationId });
  expect(organization.permissions.ownTeam).toBe(true);
});

test('has every property of the specification', async () => {
  const { body } = await reader.get(`/v1/orgs/${organizationId}`);
  expect(body).toMatchObject({
    object: 'organization',
    emailDomains: [],
    type: 'business',
    plan: 'enterprise_2024',
    defaultRole: null,
    sso: false,
    ai: true,
    inviteLinks: true,
    mergeRules: { type: 'rules', rules: [] },
    trial: { status: 'notapplicable', count: 0 },
  });
  expect(body.createdAt).toMatch(/^\d{4}-.*\.\d{3}Z$/);
  expect(Object.keys(body.urls)).toEqual(['location', 'app']);
  expect(body).not.toHaveProperty('blocked');

  const { organization } = await reader.graphql(
    query('createdAt trial { status count } blocked { reason } urls { location app logo } useCase communityType'),
    { id: organizationId },
  );
  expect(organization).toEqual({
    createdAt: body.createdAt,
    trial: { status: 'NOTAPPLICABLE', count: 0 },
    blocked: null,
    urls: { ...body.urls, logo: null },
    useCase: null,
    communityType: null,
  });
});

test('shows what an operator has set', async () => {
  const blocked = { source: 'backoffice' as const, reason: 'unpaid' };
  const kind = { type: 'community', useCase: 'openSourceDocs', communityType: 'nonProfit' } as const;
  const change = { ...kind, blocked, customHostname: 'docs.globex.example' };
  await app.services.db.updateTable('organization').set(change).where('id', '=', otherOrganizationId).execute();
  const selection = 'type useCase communityType customHostname blocked { source reason }';
  expect(await outsider.graphql(query(selection), { id: otherOrganizationId })).toEqual({
    organization: {
      type: 'COMMUNITY',
      useCase: 'OPEN_SOURCE_DOCS',
      communityType: 'NON_PROFIT',
      customHostname: 'docs.globex.example',
      blocked: { source: 'BACKOFFICE', reason: 'unpaid' },
    },
  });
  const { body } = await outsider.get(`/v1/orgs/${otherOrganizationId}`);
  expect(body).toMatchObject({ type: 'community', useCase: 'openSourceDocs', communityType: 'nonProfit', blocked });
});

test('is hidden from everyone else', async () => {
  expect(await outsider.graphql(query('id'), { id: organizationId })).toEqual({ organization: null });
  expect(await outsider.graphql('query($id: ID!) { node(id: $id) { id } }', { id: organizationId })).toEqual({
    node: null,
  });
  for (const id of [organizationId, 'org_unknown', reader.userId]) {
    expect((await outsider.get(`/v1/orgs/${id}`)).status).toBe(404);
  }
  expect((await anonymous.get(`/v1/orgs/${organizationId}`)).status).toBe(401);
  for (const field of ['organization', 'node']) {
    const text = `query($id: ID!) { ${field}(id: $id) { id } }`;
    await expect(anonymous.graphql(text, { id: organizationId })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  }
});

test('a disabled member cannot see it', async () => {
  const disable = (isDisabled: boolean) =>
    app.services.db.updateTable('membership').set({ isDisabled }).where('userId', '=', creator.userId).execute();
  await disable(true);
  expect((await creator.get(`/v1/orgs/${organizationId}`)).status).toBe(404);
  expect(await creator.graphql('{ viewer { organizations { totalCount nodes { id } } } }')).toEqual({
    viewer: { organizations: { totalCount: 0, nodes: [] } },
  });
  await disable(false);
});

test('is found by node', async () => {
  const text = 'query($id: ID!) { node(id: $id) { __typename id ... on Organization { title } } }';
  expect(await guest.graphql(text, { id: organizationId })).toEqual({
    node: { __typename: 'Organization', id: organizationId, title: 'Acme' },
  });
});
