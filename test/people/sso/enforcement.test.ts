import { beforeAll, expect, test } from 'vitest';
import { accessLoader } from '../../../src/domain/people/access/index.ts';
import type { Actor } from '../../../src/platform/access/actor.ts';
import { Client } from '../../client.ts';
import { ssoWorld } from './arrange.ts';
import { type Context, jobContextOf } from './contexts.ts';

const made = await ssoWorld({ defaultRole: 'read' });
const { app, admin, creator, reader, outsider, url, organizationId, otherOrganizationId, providerId, idp, signedIn } =
  made;
const { db } = app.services;

/** A client with a token that was created in an SSO session. */
async function clientBySso({ token }: Client, email: string): Promise<Client> {
  const browser = await signedIn(email, email, token);
  const created = await browser.submit('/account/tokens', { label: 'CI', days: '30' });
  const secret = /<code>(stemma_[\w-]+)<\/code>/.exec(await created.text())?.[1];
  return new Client(url, secret);
}

let spaceId = '';
let changeRequestId = '';
let bySso: Client;

beforeAll(async () => {
  spaceId = (await admin.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Guide' })).body.id;
  changeRequestId = (await admin.post(`/v1/spaces/${spaceId}/change-requests`, { subject: 'Words' })).body.id;
  bySso = await clientBySso(admin, 'admin@acme.example');
  expect((await bySso.patch(`/v1/orgs/${organizationId}`, { sso: true })).status).toBe(200);
});

const REQUIRES = expect.stringMatching(/requires SSO/);

test('SSO can only be required by an admin who keeps access', async () => {
  const { organization } = await creator.mutate('createOrganization', { title: 'Initech' }, 'organization { id }');
  const { status, body } = await creator.patch(`/v1/orgs/${organization.id}`, { sso: true });
  expect([status, body.error.message]).toEqual([409, expect.stringMatching(/would lose access/)]);
});

test('tokens and sessions that were made without SSO are FORBIDDEN, with a word on how to sign in', async () => {
  const addresses = [
    ['GET', `/v1/orgs/${organizationId}`],
    ['PATCH', `/v1/orgs/${organizationId}`],
    ['GET', `/v1/orgs/${organizationId}/spaces`],
    ['GET', `/v1/orgs/${organizationId}/events`],
    ['GET', `/v1/spaces/${spaceId}`],
    ['PATCH', `/v1/spaces/${spaceId}`],
    ['GET', `/v1/spaces/${spaceId}/content`],
    ['GET', `/v1/spaces/${spaceId}/change-requests`],
    ['GET', `/v1/spaces/${spaceId}/change-requests/${changeRequestId}`],
    ['POST', `/v1/spaces/${spaceId}/change-requests`],
    ['DELETE', `/v1/spaces/${spaceId}`],
  ] as const;
  for (const caller of [admin, creator]) {
    for (const [method, path] of addresses) {
      const { status, body } = await caller.send(
        method,
        path,
        method === 'GET' || method === 'DELETE' ? undefined : {},
      );
      expect([path, status, body.error?.message]).toEqual([path, 403, REQUIRES]);
    }
  }
  await expect(admin.graphql(`{ organization(id: "${organizationId}") { title } }`)).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
});

test('nothing of the organization is listed, searched or found by its id', async () => {
  const { viewer, node, user } = await admin
    .graphql(
      `{ viewer { organizations { nodes { id } totalCount } } node(id: "${spaceId}") { id } user(id: "${reader.userId}") { email } }`,
    )
    .catch(async () =>
      admin.graphql(
        `{ viewer { organizations { nodes { id } totalCount } } node(id: "${spaceId}") { id } user: node(id: "${changeRequestId}") { id } }`,
      ),
    );
  expect(viewer.organizations).toEqual({ nodes: [], totalCount: 0 });
  expect([node, user]).toEqual([null, null]);
  expect((await admin.get('/v1/orgs')).body.items).toEqual([]);
});

test('a space that a member could not see with SSO either is NOT_FOUND', async () => {
  const hidden = (await bySso.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Hidden' })).body.id;
  await db.updateTable('space').set({ defaultLevel: 'none' }).where('id', '=', hidden).execute();
  expect((await reader.get(`/v1/spaces/${hidden}`)).status).toBe(404);
  expect((await reader.get(`/v1/spaces/${spaceId}`)).status).toBe(403);
  expect((await outsider.get(`/v1/spaces/${spaceId}`)).status).toBe(404);
  expect((await outsider.get(`/v1/orgs/${organizationId}`)).status).toBe(404);
});

test('tokens that were created in an SSO session work, by both transports', async () => {
  expect((await bySso.get(`/v1/spaces/${spaceId}`)).status).toBe(200);
  expect((await bySso.patch(`/v1/spaces/${spaceId}`, { title: 'Guide' })).status).toBe(200);
  const { organization } = await bySso.graphql(`{ organization(id: "${organizationId}") { spaces { totalCount } } }`);
  expect(organization.spaces.totalCount).toBeGreaterThan(0);
});

test('the list of SSO logins stays open', async () => {
  const { status, body } = await admin.get(`/v1/orgs/${organizationId}/sso`);
  expect([status, body.items.map(({ id }: { id: string }) => id)]).toEqual([200, [providerId]]);
});

test('an admin whom an operator exempts needs no SSO, while being an admin', async () => {
  const path = `/v1/orgs/${organizationId}/members/${admin.userId}/break-glass`;
  expect((await creator.put(path, { breakGlass: true })).status).toBe(403);
  const { status, body } = await admin.put(path, { breakGlass: true });
  expect([status, body.breakGlass]).toEqual([200, true]);
  expect((await admin.get(`/v1/spaces/${spaceId}`)).status).toBe(200);
  expect((await admin.get(`/v1/orgs/${organizationId}/spaces`)).body.items.length).toBeGreaterThan(0);
  await db.updateTable('membership').set({ role: 'create' }).where('userId', '=', admin.userId).execute();
  expect((await admin.get(`/v1/spaces/${spaceId}`)).status).toBe(403);
  await db.updateTable('membership').set({ role: 'admin' }).where('userId', '=', admin.userId).execute();
  await admin.mutate(
    'setBreakGlass',
    { organizationId, userId: admin.userId, breakGlass: false },
    'member { breakGlass role }',
  );
  expect((await admin.get(`/v1/spaces/${spaceId}`)).status).toBe(403);
  expect(
    (await admin.put(`/v1/orgs/${otherOrganizationId}/members/${admin.userId}/break-glass`, { breakGlass: true }))
      .status,
  ).toBe(404);
});

test('the last active provider can be neither deleted nor disabled while SSO is required', async () => {
  const path = `/v1/orgs/${organizationId}/saml/${providerId}`;
  expect((await bySso.delete(path)).status).toBe(409);
  expect((await bySso.patch(path, { certificate: '' })).status).toBe(409);
  expect((await bySso.patch(path, { label: 'Entra' })).status).toBe(200);
});

test('what was made with a provider ends with it', async () => {
  const { idp } = made;
  const { body } = await bySso.post(`/v1/orgs/${organizationId}/saml`, {
    label: 'Second',
    entityID: idp.entityId,
    certificate: idp.credentials.certificate,
    ssoURL: idp.ssoUrl,
  });
  const caller = await clientBySso(reader, 'reader@acme.example');
  await db
    .updateTable('api_token')
    .set({ samlProviderId: body.id })
    .where('userId', '=', reader.userId)
    .where('label', '=', 'CI')
    .execute();
  expect((await caller.get(`/v1/spaces/${spaceId}`)).status).toBe(200);
  expect((await bySso.delete(`/v1/orgs/${organizationId}/saml/${body.id}`)).status).toBe(204);
  made.advance(6_000);
  expect((await caller.get(`/v1/spaces/${spaceId}`)).status).toBe(401);
});

test('decisions in memory and in SQL agree on every way to sign in', async () => {
  const sso = { organizationId, providerId };
  const elsewhere = { organizationId: otherOrganizationId, providerId };
  for (const { userId } of [admin, creator, reader, outsider]) {
    for (const way of [{}, { sso }, { sso: elsewhere }]) {
      const actor: Actor = { kind: 'user', userId, isOperator: false, by: 'session', ...way };
      const ctx = (): Context => jobContextOf(app.services, actor);
      const inMemory = await accessLoader.space(ctx(), spaceId);
      const inSql = await accessLoader.space({ ...ctx(), inTransaction: true }, spaceId);
      expect([userId, way, inSql?.role, inSql?.needsSso ?? false]).toEqual([
        userId,
        way,
        inMemory?.role,
        inMemory?.needsSso ?? false,
      ]);
    }
  }
});

test('turning the requirement on and off takes effect at once', async () => {
  expect((await reader.get(`/v1/spaces/${spaceId}`)).status).toBe(403);
  expect((await bySso.patch(`/v1/orgs/${organizationId}`, { sso: false })).status).toBe(200);
  expect((await reader.get(`/v1/spaces/${spaceId}`)).status).toBe(200);
  expect((await bySso.patch(`/v1/orgs/${organizationId}`, { sso: true })).status).toBe(200);
  expect((await reader.get(`/v1/spaces/${spaceId}`)).status).toBe(403);
});

test('a token does not show that sign-ins work once its identity provider is not active', async () => {
  const [organization, provider] = [`/v1/orgs/${organizationId}`, `/v1/orgs/${organizationId}/saml/${providerId}`];
  const certify = async (certificate: string | null) =>
    expect((await bySso.patch(provider, { certificate })).status).toBe(200);
  expect((await bySso.patch(organization, { sso: false })).status).toBe(200);
  await certify(null);
  const { status, body } = await bySso.patch(organization, { sso: true });
  expect([status, body.error.message]).toEqual([409, expect.stringMatching(/would lose access/)]);
  expect((await reader.get(organization)).status).toBe(200);
  await certify(idp.credentials.certificate);
  expect((await bySso.patch(organization, { sso: true })).status).toBe(200);
});
