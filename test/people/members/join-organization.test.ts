import type { GraphQLObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import { schema } from '../../../src/schema.ts';
import type { Client } from '../../client.ts';
import { furnish } from '../../structure/furnish.ts';
import { nodeTypeOf, openFields } from '../../structure/selections.ts';
import { world } from '../../world.ts';

const { app, admin, reader, outsider, anonymous, organizationId, otherOrganizationId } = await world();

const join = `/v1/orgs/${organizationId}/join`;
const scimTokens = `/v1/orgs/${organizationId}/scim-tokens`;
const sso = (userId: string) => `/v1/orgs/${organizationId}/members/${userId}/sso`;

const set = (body: object) => admin.patch(`/v1/orgs/${organizationId}`, body);
const verified = (userId: string, isEmailVerified: boolean) =>
  app.services.db
    .updateTable('user')
    .set(isEmailVerified ? { email: ADDRESSES[userId] ?? null } : { email: null })
    .where('id', '=', userId)
    .execute();

const accounts = await app.services.db.selectFrom('user').select(['id', 'email']).execute();
/** The addresses that they have verified. */
const ADDRESSES = Object.fromEntries(accounts.map(({ id, email }) => [id, email]));

test('refuses a public suffix or an address as an email domain', async () => {
  for (const domain of ['co.uk', 'com', 'github.io', '127.0.0.1', 'localhost']) {
    const { status, body } = await set({ emailDomains: ['acme.example', domain] });
    expect([domain, status]).toEqual([domain, 400]);
    expect(body.error.issues[0].path).toEqual(['emailDomains', 1]);
  }
  expect((await set({ emailDomains: ['bbc.co.uk', 'stemma.github.io', 'mail.acme.example'] })).status).toBe(200);
});

test('does not tell an organization that cannot be joined from one that does not exist', async () => {
  const answers = await Promise.all([organizationId, newId('org')].map((id) => outsider.post(`/v1/orgs/${id}/join`)));
  const shown = answers.map(({ status, body }, at) => [
    status,
    body.error.message.replace([organizationId][at] ?? /org_\w+/, '…'),
  ]);
  expect(shown[0]?.[0]).toBe(400);
  expect(shown[1]).toEqual(shown[0]);
  expect((await anonymous.post(join)).status).toBe(401);
});

test('an organization that can be joined shows nothing of what it has', async () => {
  await set({ emailDomains: ['globex.example'], hostname: 'acme-secret' });
  const { scimtoken } = await furnish(admin, organizationId);
  expect((await admin.delete(`${scimTokens}/${scimtoken}`)).status).toBe(204);
  // What is published for everybody is not a secret of the organization.
  for (const { id } of (await admin.get(`/v1/orgs/${organizationId}/sites`)).body.items) {
    expect((await admin.post(`/v1/orgs/${organizationId}/sites/${id}/unpublish`)).status).toBeLessThan(300);
  }
  const type = schema.getType('Organization') as GraphQLObjectType; // an object type
  const lists = openFields(type).filter((field) => nodeTypeOf(field.type));
  expect(lists.length).toBeGreaterThan(9);
  const selected = [
    ...lists.map(({ name }) => `${name} { nodes { __typename } totalCount }`),
    'agentInstructions { markdown }',
  ];
  for (const selection of [...selected, 'search(query: "pixel") { nodes { __typename } }']) {
    const { body } = await outsider.graphqlRaw(
      `{ organizationsByEmailDomain(domain: "globex.example") { found: ${selection} } }`,
    );
    const [{ found }] = body.data?.organizationsByEmailDomain ?? [{ found: null }];
    expect([selection, found?.nodes ?? [], found?.totalCount ?? 0]).toEqual([selection, [], 0]);
  }
  const [shown] = (await outsider.get('/v1/email-domains/globex.example/orgs')).body.organizations;
  expect(JSON.stringify(shown)).not.toContain('acme-secret');
  expect((await admin.get('/v1/email-domains/globex.example/orgs')).body.organizations[0].hostname).toBe('acme-secret');
});

test('find: join by email domain: joins with the default role by a verified address of the domain', async () => {
  await set({ emailDomains: ['globex.example'], defaultRole: 'comment' });
  await verified(outsider.userId, false);
  expect((await outsider.post(join)).status).toBe(400);
  expect((await outsider.get('/v1/email-domains/globex.example/orgs')).body.organizations).toEqual([]);
  await verified(outsider.userId, true);
  const found = await outsider.restAs('getOrganizationsForEmailDomain', 'GET', '/v1/email-domains/GLOBEX.example/orgs');
  expect(found.body.organizations).toMatchObject([
    { id: organizationId, title: 'Acme', emailDomains: ['globex.example'], permissions: { view: false, admin: false } },
  ]);
  const { organization } = await outsider.mutate('joinOrganization', { organizationId }, 'organization { id title }');
  expect(organization).toEqual({ id: organizationId, title: 'Acme' });
  expect((await outsider.restAs('joinOrganization', 'POST', join)).status).toBe(204);
  expect((await admin.get(`/v1/orgs/${organizationId}/members/${outsider.userId}`)).body.role).toBe('comment');
  const again = await outsider.graphql(
    '{ organizationsByEmailDomain(domain: "globex.example") { id permissions { view } } }',
  );
  expect(again.organizationsByEmailDomain).toEqual([{ id: organizationId, permissions: { view: true } }]);
});

test('members see an organization by any of its domains, others do not', async () => {
  expect((await reader.get('/v1/email-domains/globex.example/orgs')).body.organizations).toMatchObject([
    { id: organizationId },
  ]);
  expect((await reader.get('/v1/email-domains/nobody.example/orgs')).body.organizations).toEqual([]);
  await outsider.patch(`/v1/orgs/${otherOrganizationId}`, { emailDomains: ['secret.example'] });
  expect((await reader.get('/v1/email-domains/secret.example/orgs')).body.organizations).toEqual([]);
  expect((await reader.get('/v1/email-domains/not a domain/orgs')).status).toBe(400);
});

test('a disabled member does not come back by joining', async () => {
  await admin.patch(`/v1/orgs/${organizationId}/members/${outsider.userId}`, { disabled: true });
  const absent = newId('org');
  const [refused, none] = [await outsider.post(join), await outsider.post(join.replace(organizationId, absent))];
  expect([refused.status, refused.body.error.message.replace(organizationId, absent)]).toEqual([
    400,
    none.body.error.message,
  ]);
  expect((await outsider.get(`/v1/orgs/${organizationId}`)).status).toBe(404);
  expect((await outsider.get('/v1/email-domains/globex.example/orgs')).body.organizations).toEqual([]);
  await admin.delete(`/v1/orgs/${organizationId}/members/${outsider.userId}`);
});

test('nobody joins an organization by email domain whose members an identity provider makes by SCIM', async () => {
  const found = async (client: Client) =>
    (await client.get('/v1/email-domains/globex.example/orgs')).body.organizations.map(({ id }: { id: string }) => id);
  expect(await found(outsider)).toEqual([organizationId]);
  const { id } = (await admin.post(scimTokens, { label: 'Directory' })).body;
  const refused = await outsider.post(join);
  expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining('SCIM')]);
  expect([await found(outsider), await found(reader)]).toEqual([[], [organizationId]]);
  expect((await reader.post(join)).status).toBe(204);
  await admin.delete(`${scimTokens}/${id}`);
  expect(await found(outsider)).toEqual([organizationId]);
  expect((await outsider.post(join)).status).toBe(204);
  await admin.delete(`/v1/orgs/${organizationId}/members/${outsider.userId}`);
});

test('admins add SSO members of domains that they have proved, and nobody else', async () => {
  const unproved = await admin.post(sso(outsider.userId));
  expect([unproved.status, unproved.body.error.message]).toEqual([400, expect.stringContaining('verifyEmailDomain')]);
  const proof = { organizationId, domain: 'globex.example', status: 'dns_passed' as const };
  const now = new Date().toISOString();
  await app.services.db
    .insertInto('email_domain_proof')
    .values({ ...proof, verifiedAt: now, checkedAt: now })
    .execute();
  const answer = await admin.restAs('setUserAsSSOMemberForOrganization', 'POST', sso(outsider.userId));
  expect(answer.body).toMatchObject({ id: outsider.userId, sso: true, role: 'comment' });
  // The person knows nothing of it yet.
  expect((await outsider.post('/v1/user/tokens', { label: 'Unseen' })).status).toBe(201);
  const { items } = (await admin.get(`/v1/orgs/${organizationId}/audit-events?type=api_token_created`)).body;
  expect(JSON.stringify(items)).not.toContain(outsider.userId);
  expect((await admin.post(sso(reader.userId))).body).toMatchObject({ sso: true, role: 'read' });
  await admin.delete(`/v1/orgs/${organizationId}/members/${outsider.userId}`);
  await set({ emailDomains: [] });
  const [foreign, absent] = [await admin.post(sso(outsider.userId)), await admin.post(sso(newId('user')))];
  expect([foreign.status, absent.status]).toEqual([400, 400]);
  const addressless = { organizationId, userId: outsider.userId };
  await expect(admin.mutate('addSsoMember', addressless, 'member { id }')).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
  });
  expect((await reader.post(sso(reader.userId))).status).toBe(403);
  expect((await outsider.post(sso(outsider.userId))).status).toBe(404);
});

test('the subdomain of an organization is shown to its members', async () => {
  expect((await reader.get('/v1/subdomains/acme-docs')).status).toBe(404);
  await set({ hostname: 'acme-docs' });
  const { body } = await reader.restAs('getSubdomain', 'GET', '/v1/subdomains/acme-docs', undefined, { beyond: true });
  expect(body).toEqual({
    object: 'subdomain',
    subdomain: 'acme-docs',
    target: { type: 'organization', organization: organizationId },
    isActive: true,
  });
  const look = '{ subdomain(name: "acme-docs") { subdomain isActive target { organization { id } } } }';
  expect((await reader.graphql(look)).subdomain.target.organization).toEqual({ id: organizationId });
  expect((await outsider.graphql(look)).subdomain).toBeNull();
  expect((await outsider.get('/v1/subdomains/acme-docs')).status).toBe(404);
  expect((await reader.get('/v1/subdomains/No')).status).toBe(400);
});
