import { expect, test } from 'vitest';
import { insertOrganization } from '../../../src/domain/people/organizations/insert-organization.ts';
import { world } from '../../world.ts';

const { app, reader, outsider, anonymous, url } = await world();

test('creates an organization with the caller as its admin', async () => {
  const { organization } = await reader.mutate(
    'createOrganization',
    { title: 'Initech', emailDomains: ['Initech.example', 'initech.EXAMPLE', 'mail.initech.example'] },
    `organization {
      id title emailDomains plan type inviteLinks sso ai defaultRole
      mergeRules { type rules { rule } } permissions { admin createContent }
    }`,
  );
  expect(organization).toEqual({
    id: expect.stringMatching(/^org_/),
    title: 'Initech',
    emailDomains: ['initech.example', 'mail.initech.example'],
    plan: 'ENTERPRISE_2024',
    type: 'BUSINESS',
    inviteLinks: true,
    sso: false,
    ai: true,
    defaultRole: null,
    mergeRules: { type: 'RULES', rules: [] },
    permissions: { admin: true, createContent: true },
  });
  expect((await reader.get(`/v1/orgs/${organization.id}`)).body.title).toBe('Initech');
  expect((await outsider.get(`/v1/orgs/${organization.id}`)).status).toBe(404);
});

test('responds with 201 and a Location over REST, and ignores unknown properties', async () => {
  const onboardingPreferences = { source: null, audience: null, interests: [] };
  const { status, body, headers } = await reader.post('/v1/orgs?withDefaultSite=true', {
    title: 'Hooli',
    onboardingPreferences,
    unknown: true,
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({ object: 'organization', title: 'Hooli', emailDomains: [] });
  expect(headers.get('location')).toBe(body.urls.location);
  expect(new URL(body.urls.location).pathname).toBe(`/v1/orgs/${body.id}`);
  const listed = await reader.get('/v1/orgs');
  expect(listed.body.items.map(({ id }: { id: string }) => id)).toContain(body.id);
});

test('an admin of a hundred organizations creates no further one', async () => {
  const { db } = app.services;
  const now = new Date().toISOString();
  const memberships = await db.selectFrom('membership').where('userId', '=', outsider.userId).select('role').execute();
  const administered = memberships.filter(({ role }) => role === 'admin').length;
  for (let number = administered; number < 99; number++)
    await insertOrganization(db, { title: `Branch ${number}`, emailDomains: [], adminId: outsider.userId, now });
  expect((await outsider.post('/v1/orgs', { title: 'The last' })).status).toBe(201);
  const { status, body } = await outsider.post('/v1/orgs', { title: 'One more' });
  expect([status, body.error.message]).toEqual([409, expect.stringContaining('admin of 100 organizations')]);
  await expect(
    outsider.mutate('createOrganization', { title: 'One more' }, 'organization { id }'),
  ).rejects.toMatchObject({ code: 'CONFLICT' });
  expect((await reader.post('/v1/orgs', { title: 'Of somebody else' })).status).toBe(201);
});

test('requires a token', async () => {
  expect((await anonymous.post('/v1/orgs', { title: 'Nobody' })).status).toBe(401);
});

test.each([
  [{}, 'title'],
  [{ title: 'A' }, 'title'],
  [{ title: '    ' }, 'title'],
  [{ title: 'x'.repeat(256) }, 'title'],
  [{ title: 'Bell\u0007' }, 'title'],
  [{ title: 'Acme', emailDomains: ['not a domain'] }, 'emailDomains'],
  [{ title: 'Acme', emailDomains: ['@acme.example'] }, 'emailDomains'],
  [{ title: 'Acme', emailDomains: ['-.example'] }, 'emailDomains'],
  [{ title: 'Acme', emailDomains: 'acme.example' }, 'emailDomains'],
])('refuses %j', async (body, member) => {
  const answer = await reader.post('/v1/orgs', body);
  expect(answer.status).toBe(400);
  expect(answer.body.error.issues[0].path[0]).toBe(member);
});

test('the graph returns all issues of the input', async () => {
  const mutation = reader.mutate('createOrganization', { title: 'A', emailDomains: ['a b'] }, 'organization { id }');
  const { errors } = await mutation.catch((error) => error);
  expect(errors[0].extensions.code).toBe('BAD_USER_INPUT');
  expect(errors[0].extensions.issues.map(({ path }: { path: unknown }) => path)).toEqual([
    ['input', 'title'],
    ['input', 'emailDomains', 0],
  ]);
});

test('can be restricted to operators', async () => {
  const closed = await world({ OPERATORS_CREATE_ORGANIZATIONS: '1' });
  expect(closed.url).not.toBe(url);
  expect((await closed.reader.post('/v1/orgs', { title: 'Mine' })).status).toBe(403);
  expect((await closed.reader.post('/v1/orgs', { title: '' })).status).toBe(403);
  const mutation = closed.reader.mutate('createOrganization', { title: 'Mine' }, 'organization { id }');
  await expect(mutation).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect((await closed.admin.post('/v1/orgs', { title: 'Ours' })).status).toBe(201);
});
