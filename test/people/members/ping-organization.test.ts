import { createLocalJWKSet, createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { removeFormerKeys } from '../../../src/domain/people/signing-keys/remove-former-keys.ts';
import { newId } from '../../../src/platform/ids/ids.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { Client } from '../../client.ts';
import { world } from '../../world.ts';

const { app, eventsBy, url, admin, reader, editor, guest, outsider, anonymous, organizationId, advance } =
  await world();

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

test('keys are rotated by admins; tokens of former keys stay valid until they expire, unless the keys are revoked', async () => {
  const rotate = (client: Client, body: object = {}) => client.post(`/v1/orgs/${organizationId}/jwks/rotate`, body);
  for (const [client, status] of [
    [reader, 403],
    [guest, 403],
    [outsider, 404],
    [anonymous, 401],
  ] as const) {
    expect((await rotate(client)).status).toBe(status);
  }
  const tokenNow = async () => (await editor.post(path)).body.serviceVisitorClaims as string;
  const keysNow = async () => createLocalJWKSet((await anonymous.get(keysPath)).body);
  const isValid = async (token: string) =>
    jwtVerify(token, await keysNow(), { currentDate: app.services.clock() }).then(
      () => true,
      () => false,
    );
  const first = await tokenNow();
  expect((await rotate(admin)).body.keys).toHaveLength((await anonymous.get(keysPath)).body.keys.length);
  const second = await tokenNow();
  expect(decodeProtectedHeader(second).kid).not.toBe(decodeProtectedHeader(first).kid);
  expect([await isValid(first), await isValid(second)]).toEqual([true, true]);
  await removeFormerKeys.run(
    jobContext(app.services, 'test'),
    {},
    { signal: new AbortController().signal, retries: 0 },
  );
  expect(await isValid(first)).toBe(true);
  const input = { organizationId, revokeFormer: true };
  const rotated = await admin.mutate('rotateOrganizationKeys', input, 'organization { id }');
  expect(rotated).toEqual({ organization: { id: organizationId } });
  expect([await isValid(first), await isValid(second)]).toEqual([false, false]);
  expect((await anonymous.get(keysPath)).body.keys).toHaveLength(1);
  expect(await eventsBy('kind=signing_key_rotated')).toHaveLength(2);
});

test('a key signs for ninety days, and is removed a day after the next one signs', async () => {
  const kidNow = async () => decodeProtectedHeader((await editor.post(path)).body.serviceVisitorClaims).kid;
  const before = await kidNow();
  advance(89 * 86_400_000);
  expect(await kidNow()).toBe(before);
  advance(2 * 86_400_000);
  const after = await kidNow();
  expect(after).not.toBe(before);
  const tidy = () =>
    removeFormerKeys.run(jobContext(app.services, 'test'), {}, { signal: new AbortController().signal, retries: 0 });
  const published = async () => (await anonymous.get(keysPath)).body.keys.map(({ kid }: { kid: string }) => kid);
  await tidy();
  expect(await published()).toEqual([after, before]);
  advance(26 * 3_600_000);
  await tidy();
  expect(await published()).toEqual([after]);
});

test('a token that may only read does not agree to a membership', async () => {
  const { body: made } = await outsider.post('/v1/orgs', { title: 'Pinged' });
  await outsider.post(`/v1/orgs/${made.id}/invites`, { emails: ['guest@acme.example'], role: 'read' });
  const isAccepted = async () =>
    (
      await app.services.db
        .selectFrom('membership')
        .where('organizationId', '=', made.id)
        .where('userId', '=', guest.userId)
        .select('isAccepted')
        .executeTakeFirstOrThrow()
    ).isAccepted;
  const { secret } = await guest.mutate('createApiToken', { label: 'Reader', scopes: ['READ'] }, 'secret');
  expect((await new Client(url, secret).post(`/v1/orgs/${made.id}/ping`)).status).toBe(200);
  expect(await isAccepted()).toBe(false);
  expect((await guest.post(`/v1/orgs/${made.id}/ping`)).status).toBe(200);
  expect(await isAccepted()).toBe(true);
});
