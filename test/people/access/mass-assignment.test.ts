import { expect, test } from 'vitest';
import type { RestAnswer } from '../../client.ts';
import { world } from '../../world.ts';
import { contentOf } from './content.ts';

const made = await world();
const { app, admin, creator, reader, guest, outsider, anonymous, organizationId, otherOrganizationId } = made;
const { db } = app.services;
const content = contentOf(db, organizationId);

/** Members that rows have and no request may set, in the names of tables and of both transports. */
const HOSTILE = {
  id: 'user_00000000000000000000000000',
  isOperator: true,
  operator: true,
  is_operator: true,
  isEmailVerified: true,
  unverifiedEmail: 'ceo@acme.example',
  roleProviderId: null,
  linkableEmail: 'ceo@acme.example',
  emailVerified: true,
  isBreakGlass: true,
  breakGlass: true,
  isSso: true,
  isDisabled: false,
  userId: admin.userId,
  user: admin.userId,
  organizationId: otherOrganizationId,
  organization: otherOrganizationId,
  organization_id: otherOrganizationId,
  plan: 'free_2024',
  type: 'community',
  blocked: { reason: 'Unpaid' },
  customHostname: 'evil.example',
  status: 'active',
  revision: 'rev_00000000000000000000000000',
  revisionId: 'rev_00000000000000000000000000',
  visibility: 'public',
  deletedAt: '2020-01-01T00:00:00.000Z',
  createdAt: '2020-01-01T00:00:00.000Z',
  version: 99,
  isPublished: true,
  published: true,
  permissions: { admin: true },
  secretHash: 'AAAA',
  ['__proto__']: { isOperator: true },
  constructor: { prototype: { isOperator: true } },
};

/** What may change with an update. */
const CHANGING = new Set(['updatedAt', 'version', 'lastUsedAt']);

type Snapshot = Record<string, unknown>;

const TABLES = ['organization', 'membership', 'user', 'team', 'space', 'collection', 'site', 'saml_provider'] as const;

/** All rows, without what an update changes anyway. */
async function snapshot(): Promise<Snapshot> {
  const found: Snapshot = {};
  for (const table of TABLES) {
    const rows = (await db.selectFrom(table).selectAll().execute()) as Record<string, unknown>[];
    for (const row of rows) {
      found[`${table} ${row.id}`] = Object.fromEntries(Object.entries(row).filter(([name]) => !CHANGING.has(name)));
    }
  }
  return found;
}

const organization = `/v1/orgs/${organizationId}`;
const team = (await admin.put(`${organization}/teams`, { title: 'Writers', members: [reader.userId] })).body.id;
const saml = (await admin.post(`${organization}/saml`, { label: 'Okta' })).body.id;
const collectionId = await content.collection();
const spaceId = (await creator.post(`${organization}/spaces`, { title: 'Space' })).body.id;
const siteId = await content.site();
await db.updateTable('membership').set({ role: 'create' }).where('userId', '=', creator.userId).execute();

const UPDATES: [name: string, update: (body: object) => Promise<RestAnswer>][] = [
  ['their own account', (body) => reader.patch(`/v1/users/${reader.userId}`, { displayName: 'Reader', ...body })],
  ['an organization', (body) => admin.patch(organization, { ...body, title: 'Acme' })],
  ['a member', (body) => admin.patch(`${organization}/members/${reader.userId}`, { ...body, role: 'read' })],
  ['a team', (body) => admin.patch(`${organization}/teams/${team}`, { ...body, title: 'Writers' })],
  ['a SAML provider', (body) => admin.patch(`${organization}/saml/${saml}`, { ...body, label: 'Okta' })],
  ['a collection', (body) => admin.patch(`/v1/collections/${collectionId}`, { ...body, title: 'Collection' })],
  ['a space', (body) => creator.patch(`/v1/spaces/${spaceId}`, { ...body, title: 'Space' })],
  ['a ping', (body) => guest.post(`${organization}/ping`, body)],
];

test.each(UPDATES)('an update of %s sets nothing that it does not name', async (_name, update) => {
  await update({});
  const before = await snapshot();
  const { status, body } = await update({ ...HOSTILE, lastSeenAt: '2020-01-01T00:00:00.000Z' });
  expect([status, body.error]).toEqual([200, undefined]);
  expect(await snapshot()).toEqual(before);
});

test('settings of sites cannot be published or moved by an update', async () => {
  const before = await snapshot();
  const { type: _type, visibility: _visibility, ...hostile } = HOSTILE;
  const { status } = await admin.patch(`${organization}/sites/${siteId}`, { ...hostile, title: 'Site' });
  expect(status).toBe(200);
  expect(await snapshot()).toEqual(before);
});

test('nobody chooses the role that an invitation or an email domain gives', async () => {
  await admin.post(`${organization}/invites`, { emails: ['eve@acme.example'], role: 'read' });
  const [{ url }] = (await admin.get(`${organization}/invites`)).body.items;
  const [, inviteId, secret] = /#(\w+)\.([\w-]+)$/.exec(url) ?? [];
  const wish = {
    role: 'admin',
    sso: false,
    isOperator: true,
    organizationId: otherOrganizationId,
    email: 'a@b.example',
  };
  const { body: accepted } = await anonymous.post(`/v1/invites/${inviteId}/accept`, { ...wish, secret });
  const member = (await admin.get(`${organization}/members/${accepted.user}`)).body;
  expect([member.role, member.user.email]).toEqual(['read', 'eve@acme.example']);

  await admin.patch(organization, { emailDomains: ['globex.example'], defaultRole: 'comment' });
  await outsider.post(`${organization}/join`, wish);
  expect((await admin.get(`${organization}/members/${outsider.userId}`)).body.role).toBe('comment');
  const operators = await db.selectFrom('user').where('isOperator', '=', true).select('id').execute();
  expect(operators).toEqual([{ id: admin.userId }]);
});

test('tokens and grants are for those that the caller may speak for', async () => {
  const token = await reader.post('/v1/user/tokens', { label: 'Mine', userId: admin.userId });
  expect(token.status).toBe(403);
  const granted = await reader.post(`/v1/spaces/${spaceId}/permissions`, { users: [reader.userId], role: 'admin' });
  expect(granted.status).toBe(403);
  const raised = await reader.patch(`${organization}/members/${reader.userId}`, { role: 'admin' });
  expect(raised.status).toBe(403);
});

test('the graph knows no members beside those of its inputs', async () => {
  const query = `mutation { updateUser(input: { userId: "${reader.userId}", isOperator: true }) { user { id } } }`;
  const { body } = await reader.graphqlRaw(query);
  expect(body.errors[0]).toMatchObject({
    message: expect.stringContaining('isOperator'),
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
  });
});

test('a filter is a text and not a pattern', async () => {
  const slow = ['%', '_', '.*', '(a+)+$', '%_'.repeat(128), '\\', `${'('.repeat(120)}a`];
  for (const text of slow) {
    const search = encodeURIComponent(text);
    const { status, body } = await reader.get(`${organization}/members?search=${search}`);
    expect([text, status, body.count]).toEqual([text, 200, 0]);
    const title = encodeURIComponent(text.slice(0, 64));
    const teams = await reader.get(`${organization}/teams?title=${title}`);
    expect([text, teams.status, teams.body.count]).toEqual([text, 200, 0]);
    const aggregate = await admin.get(`/v1/spaces/${spaceId}/permissions/aggregate?search=${search}`);
    expect([text, aggregate.status, aggregate.body.count]).toEqual([text, 200, 0]);
  }
});
