import { expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import type { Client } from '../../client.ts';
import { world } from '../../world.ts';

const { app, admin, creator, reader, guest, outsider, anonymous, organizationId, otherOrganizationId } = await world();

const path = `/v1/orgs/${organizationId}`;

const update = (caller: Client, input: Record<string, unknown>, selection = 'id') =>
  caller.mutate('updateOrganization', { organizationId, ...input }, `organization { ${selection} }`);

async function siteOf(organizationId: string): Promise<string> {
  const id = newId('site');
  await app.services.db.insertInto('site').values({ id, organizationId, title: 'Docs' }).execute();
  return id;
}

// Keeps access while SSO is required.
await admin.put(`${path}/members/${admin.userId}/break-glass`, { breakGlass: true });

test('changes every setting by the graph, and REST shows it', async () => {
  const siteId = await siteOf(organizationId);
  const { organization } = await update(
    admin,
    {
      title: 'Acme Corporation',
      emailDomains: ['ACME.example', 'acme.example'],
      hostname: 'acme-docs',
      defaultRole: 'COMMENT',
      defaultContent: { siteId },
      logo: 'https://acme.example/logo.png',
      sso: true,
      ai: false,
      inviteLinks: false,
      mergeRules: { type: 'RULES', rules: [{ rule: 'REQUIRE_SPECIFIC_REVIEWERS', userIds: [reader.userId] }] },
    },
    `title emailDomains hostname defaultRole defaultContent { siteId } urls { logo } sso ai inviteLinks
     mergeRules { type rules { rule users { id displayName } expression } }`,
  );
  expect(organization).toEqual({
    title: 'Acme Corporation',
    emailDomains: ['acme.example'],
    hostname: 'acme-docs',
    defaultRole: 'COMMENT',
    defaultContent: { siteId },
    urls: { logo: 'https://acme.example/logo.png' },
    sso: true,
    ai: false,
    inviteLinks: false,
    mergeRules: {
      type: 'RULES',
      rules: [
        {
          rule: 'REQUIRE_SPECIFIC_REVIEWERS',
          users: [{ id: reader.userId, displayName: 'Reader' }],
          expression: null,
        },
      ],
    },
  });
  const { body } = await admin.get(path);
  expect(body).toMatchObject({
    title: 'Acme Corporation',
    emailDomains: ['acme.example'],
    hostname: 'acme-docs',
    defaultRole: 'comment',
    defaultContent: { type: 'site', site: siteId },
    sso: true,
    ai: false,
    inviteLinks: false,
    mergeRules: { type: 'rules', rules: [{ rule: 'require_specific_reviewers', users: [reader.userId] }] },
  });
  expect(body.urls.logo).toBe('https://acme.example/logo.png');
});

test('changes every setting by REST, and the graph shows it', async () => {
  const site = await siteOf(organizationId);
  const rules = [
    { rule: 'allow_bypass', users: [admin.userId, guest.userId] },
    { rule: 'require_at_least_one_review' },
    { rule: 'custom', expression: 'subject != ""', message: 'Say what it is about.' },
  ];
  const settings = {
    title: 'Acme again',
    emailDomains: [],
    hostname: 'acme-rest',
    defaultRole: 'read',
    defaultContent: { type: 'site', site },
    sso: false,
    ai: true,
    inviteLinks: true,
    mergeRules: { type: 'rules', rules },
  };
  const { status, body } = await admin.patch(path, { ...settings, logo: 'https://acme.example/new.svg' });
  expect(status).toBe(200);
  expect(body).toMatchObject(settings);
  const { organization } = await admin.graphql(
    `query($id: ID!) { organization(id: $id) {
      defaultRole defaultContent { siteId } mergeRules { rules { rule users { id } expression message } } } }`,
    { id: organizationId },
  );
  expect(organization).toEqual({
    defaultRole: 'READ',
    defaultContent: { siteId: site },
    mergeRules: {
      rules: [
        { rule: 'ALLOW_BYPASS', users: [{ id: admin.userId }, { id: guest.userId }], expression: null, message: null },
        { rule: 'REQUIRE_AT_LEAST_ONE_REVIEW', users: null, expression: null, message: null },
        { rule: 'CUSTOM', users: null, expression: 'subject != ""', message: 'Say what it is about.' },
      ],
    },
  });
});

test('keeps omitted fields, and removes those that are null', async () => {
  await admin.patch(path, { title: 'Kept', logo: 'https://acme.example/kept.png', defaultRole: 'edit' });
  expect((await admin.patch(path, {})).body).toMatchObject({ title: 'Kept', defaultRole: 'edit' });
  const { body } = await admin.patch(path, { logo: null, defaultRole: null, defaultContent: null });
  expect(body.urls).not.toHaveProperty('logo');
  expect(body).not.toHaveProperty('defaultContent');
  expect(body).toMatchObject({ title: 'Kept', defaultRole: null });
  await update(admin, { mergeRules: { type: 'NONE' } });
  expect((await admin.get(path)).body.mergeRules).toEqual({ type: 'none' });
});

test('requires an admin', async () => {
  for (const caller of [creator, reader, guest]) {
    await expect(update(caller, { title: 'Mine' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await caller.patch(path, { title: '' })).status).toBe(403);
  }
  await expect(update(outsider, { title: 'Mine' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect((await outsider.patch(path, { title: '' })).status).toBe(404);
  await expect(update(anonymous, { title: 'Mine' })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

test('a blocked organization is not changed', async () => {
  const block = (blocked: { reason: string } | null) =>
    app.services.db.updateTable('organization').set({ blocked }).where('id', '=', otherOrganizationId).execute();
  await block({ reason: 'unpaid' });
  const { status, body } = await outsider.patch(`/v1/orgs/${otherOrganizationId}`, { title: 'Free' });
  expect(status).toBe(403);
  expect(body.error.message).toContain('unpaid');
  await block(null);
});

test('a hostname belongs to one organization of the service', async () => {
  await admin.patch(path, { hostname: 'only-one' });
  const { status } = await outsider.patch(`/v1/orgs/${otherOrganizationId}`, { hostname: 'only-one' });
  expect(status).toBe(409);
  const mutation = outsider.mutate(
    'updateOrganization',
    { organizationId: otherOrganizationId, title: 'Half', hostname: 'only-one' },
    'organization { id }',
  );
  await expect(mutation).rejects.toMatchObject({ code: 'CONFLICT' });
  expect((await outsider.get(`/v1/orgs/${otherOrganizationId}`)).body.title).toBe('Globex');
  expect((await admin.patch(path, { hostname: 'only-one' })).status).toBe(200);
});

test('merge rules and default content can only refer to its own resources', async () => {
  const foreignSite = await siteOf(otherOrganizationId);
  for (const site of [foreignSite, 'site_unknown', organizationId]) {
    const { status, body } = await admin.patch(path, { defaultContent: { type: 'site', site } });
    expect(status).toBe(400);
    expect(body.error.issues[0].path).toEqual(['defaultContent', 'site']);
  }
  const rules = [
    { rule: 'require_all_reviews_approved' },
    { rule: 'allow_bypass', users: [admin.userId, outsider.userId] },
  ];
  const { status, body } = await admin.patch(path, { mergeRules: { type: 'rules', rules } });
  expect(status).toBe(400);
  expect(body.error.issues[0].path).toEqual(['mergeRules', 'rules', 1, 'users']);
  expect(body.error.message).toContain(outsider.userId);

  const rule = { rule: 'ALLOW_BYPASS', userIds: [outsider.userId] };
  const mutation = update(admin, { mergeRules: { type: 'RULES', rules: [rule] } });
  await expect(mutation).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  await expect(update(admin, { defaultContent: { siteId: foreignSite } })).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
  });
});

test.each<[string, unknown]>([
  ['title', 'A'],
  ['title', 'x'.repeat(10_000)],
  ['title', null],
  ['emailDomains', ['under_score.example']],
  ['emailDomains', null],
  ['hostname', 'ab'],
  ['hostname', 'Acme'],
  ['hostname', '-acme'],
  ['hostname', 'a'.repeat(33)],
  ['defaultRole', 'owner'],
  ['defaultContent', { type: 'space', space: 'space_1' }],
  ['defaultContent', 'site_1'],
  ['logo', 'logo.png'],
  ['logo', 'data:image/png;base64,AAAA'],
  ['sso', 'yes'],
  ['mergeRules', { type: 'inherit' }],
  ['mergeRules', { type: 'rules' }],
  ['mergeRules', { type: 'rules', rules: [{ rule: 'be_nice' }] }],
  ['mergeRules', { type: 'rules', rules: [{ rule: 'allow_bypass' }] }],
  ['mergeRules', { type: 'rules', rules: [{ rule: 'custom' }] }],
  ['mergeRules', { type: 'rules', rules: [{ rule: 'custom', expression: 'x'.repeat(1025) }] }],
  ['mergeRules', { type: 'rules', rules: 'none' }],
  ['mergeRules', null],
])('refuses %s %j', async (member, value) => {
  const { status, body } = await admin.patch(path, { [member]: value });
  expect(status).toBe(400);
  expect(body.error.issues[0].path[0]).toBe(member);
});
