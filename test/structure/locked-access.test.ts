import { expect, test } from 'vitest';
import { removeDeletedSpaces } from '../../src/domain/places/spaces/remove-deleted-spaces.ts';
import { makeMissingSiteKeys } from '../../src/domain/publishing/sites/make-missing-site-keys.ts';
import { jobContext } from '../../src/platform/jobs/job.ts';
import { administer } from '../database.ts';
import { ssoWorld } from '../people/sso/arrange.ts';
import { watchAccess } from './locked-access.ts';

// What the examples of all operations do not change of access; they are watched in examples.test.ts.

const { app, databaseUrl, admin, reader, outsider, organizationId, signedIn, advance } = await ssoWorld();
const ofOrganization = `/v1/orgs/${organizationId}`;
const running = { signal: AbortSignal.timeout(50_000), retries: 0 };

const WEEK = 7 * 24 * 60 * 60 * 1_000;

test('a change of access without a lock is reported, and so is one that is locked too late', async () => {
  const spaceId = (await admin.post(`${ofOrganization}/spaces`)).body.id as string;
  const { faults, tables } = await watchAccess(databaseUrl);
  const { db } = app.services;
  await db.updateTable('space').set({ defaultLevel: 'read' }).where('id', '=', spaceId).execute();
  await db.transaction().execute(async (transaction) => {
    await transaction.selectFrom('space').where('id', '=', spaceId).select('id').forUpdate().execute();
    await transaction
      .selectFrom('access_version')
      .where('organizationId', '=', organizationId)
      .select('version')
      .forNoKeyUpdate()
      .execute();
    await transaction.updateTable('space').set({ defaultLevel: 'edit' }).where('id', '=', spaceId).execute();
  });
  await db.updateTable('space').set({ title: 'Not of access' }).where('id', '=', spaceId).execute();
  expect([...faults]).toEqual([expect.stringMatching(/^space: update/), expect.stringMatching(/^space: begin.*; /)]);
  expect([...tables]).toEqual(['space']);
});

test('who joins by a domain, by links and with SSO does so under the lock of the access', async () => {
  await admin.patch(ofOrganization, { emailDomains: ['globex.example'] });
  const { body: spaceLink } = await admin.post(`${ofOrganization}/link-invites`, { role: 'comment' });
  const { body: team } = await admin.put(`${ofOrganization}/teams`, { title: 'Writers' });
  await admin.patch(`${ofOrganization}/saml/${(await admin.get(`${ofOrganization}/saml`)).body.items[0].id}`, {
    defaultTeam: team.id,
  });
  const { faults, tables } = await watchAccess(databaseUrl);
  expect((await outsider.post(`${ofOrganization}/join`)).status).toBe(204);
  expect((await outsider.delete(`${ofOrganization}/members/${outsider.userId}`)).status).toBeLessThan(300);
  expect((await outsider.post(`${ofOrganization}/invites/${spaceLink.id}`)).status).toBe(200);
  const member = `${ofOrganization}/members/${outsider.userId}`;
  for (const disabled of [true, false]) expect((await admin.patch(member, { disabled })).status).toBe(200);
  await signedIn('ada@acme.example');
  expect([...faults]).toEqual([]);
  expect([...tables].toSorted()).toEqual(['membership', 'team_member']);
});

test('settings that decide about access are changed under its lock', async () => {
  const spaceId = (await admin.post(`${ofOrganization}/spaces`)).body.id as string;
  const siteId = (await admin.post(`${ofOrganization}/sites`, { title: 'Guide' })).body.id as string;
  const site = `${ofOrganization}/sites/${siteId}`;
  const { body: section } = await admin.post(`${site}/sections`, { spaceId, title: 'Reference' });
  const { body: collection } = await admin.post(`${ofOrganization}/collections`);
  const { body: team } = await admin.put(`${ofOrganization}/teams`, { title: 'Readers' });
  const member = `${ofOrganization}/members/${admin.userId}`;
  const changes = [
    ['space', () => admin.patch(`/v1/spaces/${spaceId}`, { defaultLevel: 'edit' })],
    ['collection', () => admin.patch(`/v1/collections/${collection.id}`, { defaultLevel: 'edit' })],
    ['placement', () => admin.post(`/v1/spaces/${spaceId}/move`, { parent: collection.id })],
    ['site', () => admin.patch(site, { defaultLevel: 'edit' })],
    ['site', () => admin.patch(site, { adaptiveContent: { enabled: true } })],
    ['site_item', () => admin.patch(`${site}/sections/${section.id}`, { condition: 'visitor.claims.isBeta == true' })],
    ['team_member', () => admin.put(`${ofOrganization}/teams/${team.id}/members`, { add: [reader.userId] })],
    ['membership', () => admin.put(`${member}/break-glass`, { breakGlass: true })],
    ['organization', () => admin.patch(ofOrganization, { sso: true })],
    ['organization', () => admin.patch(ofOrganization, { sso: false })],
  ] as const;
  const { faults, tables } = await watchAccess(databaseUrl);
  for (const [table, change] of changes) {
    tables.clear();
    const { status, body } = await change();
    expect([table, body.error, status < 300, [...tables], [...faults]]).toEqual([table, undefined, true, [table], []]);
  }
});

test('jobs that change access lock it too', async () => {
  const spaceId = (await admin.post(`${ofOrganization}/spaces`)).body.id as string;
  const siteId = (await admin.post(`${ofOrganization}/sites`, { title: 'Guide' })).body.id as string;
  await admin.post(`${ofOrganization}/sites/${siteId}/site-spaces`, { spaceId });
  await admin.post(`/v1/spaces/${spaceId}/permissions`, { users: [reader.userId], role: 'edit' });
  await admin.delete(`/v1/spaces/${spaceId}`);
  await administer(databaseUrl, 'delete from site_auth');
  advance(WEEK + 1_000);
  const { faults, tables } = await watchAccess(databaseUrl);
  await removeDeletedSpaces.run(jobContext(app.services, 'removing'), {}, running);
  await makeMissingSiteKeys.run(jobContext(app.services, 'keys'), {}, running);
  expect([...faults]).toEqual([]);
  expect([...tables].toSorted()).toEqual(['grant', 'placement', 'site_auth', 'site_space', 'space']);
});
