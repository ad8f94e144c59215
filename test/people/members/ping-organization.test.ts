import { createLocalJWKSet, createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids.ts';
import { world } from '../../world.ts';

const { app, url, admin, reader, editor, guest, outsider, anonymous, organizationId, advance } = await world();

const path = `/v1/orgs/${organizationId}/ping`;
const keysPath = `/v1/orgs/${organizationId}/jwks.json`;

test('records the time of the last activity, to the minute', async () => {
  const seen = async () => (await admin.get(`/v1/orgs/${organizationId}/members/${reader.userId}`)).body.lastSeenAt;
  expect(await seen()).toBeUndefined();
  const { status, body } = await reader.restAs('updateOrganizationMemberLastSeenAt', 'POST', path);
  expect([status, body]).toEqual([200, {}]);
  const first = await seen();
  await reader.post(path);
  expect(await seen()).toBe(first);
  advance(61_000);
  const { member, visitorClaims } = await reader.mutate(
    'pingOrganization',
    { organizationId },
    'member { lastSeenAt } visitorClaims',
  );
  expect(Date.parse(member.lastSeenAt)).toBeGreaterThan(Date.parse(first));
  expect(visitorClaims).toBeNull();
  expect(await seen()).toBe(member.lastSeenAt);
});

test('gives SSO members a token that the published keys verify', async () => {
  expect((await anonymous.get(keysPath)).body).toEqual({ keys: [] });
  await admin.post(`/v1/orgs/${organizationId}/members/${editor.userId}/sso`);
  const { body: team } = await admin.put(`/v1/orgs/${organizationId}/teams`, {
    title: 'Writers',
    members: [editor.userId],
  });
  const { body } = await editor.post(path);
  expect(body.gitbookVisitorClaims).toBe(body.serviceVisitorClaims);
  const keys = createRemoteJWKSet(new URL(`${url}${keysPath}`));
  const issuer = `${app.services.config.publicUrl}/v1/orgs/${organizationId}`;
  const currentDate = app.services.clock();
  const { payload } = await jwtVerify(body.serviceVisitorClaims, keys, {
    issuer,
    audience: organizationId,
    currentDate,
  });
  expect(payload).toMatchObject({
    sub: editor.userId,
    name: 'Editor',
    email: 'editor@acme.example',
    email_verified: true,
    organization: organizationId,
    role: 'edit',
    teams: [team.id],
  });
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3_600);
});

test('concurrent first tokens share one key, which belongs to the organization alone', async () => {
  const { body: organization } = await reader.post('/v1/orgs', { title: 'Initech' });
  await app.services.db
    .updateTable('membership')
    .set({ isSso: true })
    .where('organizationId', '=', organization.id)
    .execute();
  const pings = await Promise.all(Array.from({ length: 5 }, () => reader.post(`/v1/orgs/${organization.id}/ping`)));
  const tokens: string[] = pings.map(({ body }) => body.serviceVisitorClaims);
  expect(new Set(tokens.map((token) => decodeProtectedHeader(token).kid)).size).toBe(1);
  const { body: keys } = await anonymous.get(`/v1/orgs/${organization.id}/jwks.json`);
  expect(keys.keys).toHaveLength(1);
  expect(keys.keys[0]).not.toHaveProperty('d');
  const foreign = createLocalJWKSet((await anonymous.get(keysPath)).body);
  await expect(jwtVerify(String(tokens[0]), foreign)).rejects.toThrow(/no applicable key/);
  const stored = await app.services.db.selectFrom('signing_key').select('privateKey').execute();
  for (const { privateKey } of stored) expect(privateKey.toString()).not.toContain('"d"');
});

test('is for members, guests included', async () => {
  expect((await guest.post(path)).status).toBe(200);
  expect((await outsider.post(path)).status).toBe(404);
  expect((await anonymous.post(path)).status).toBe(401);
  expect((await anonymous.get(`/v1/orgs/${newId('org')}/jwks.json`)).body).toEqual({ keys: [] });
});
