import { expect, test } from 'vitest';
import { auditFilters } from '../../../src/domain/insight/events/audit-input.ts';
import { auditLines } from '../../../src/domain/insight/events/export-audit-events.ts';
import { removeOldAuditEvents } from '../../../src/domain/insight/events/remove-old-audit-events.ts';
import { newId } from '../../../src/platform/ids/ids.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { settled } from '../../settled.ts';
import { world } from '../../world.ts';

const { app, url, admin, creator, reader, outsider, anonymous, organizationId, otherOrganizationId, advance } =
  await world({ AUDIT_RETENTION_DAYS: '60' });
const path = `/v1/orgs/${organizationId}/audit-events`;
const DAY_MS = 86_400_000;

interface Shown {
  id: string;
  type: string;
  actor?: string;
  ids: Record<string, string>;
  client?: { kind: string; apiTokenId?: string; address?: string };
  changes: { setting: string; from?: string; to?: string }[];
}

async function audit(query = ''): Promise<Shown[]> {
  await settled(app.services.db);
  return (await admin.get(`${path}?limit=1000&${query}`)).body.items;
}

const latest = async (type: string) => (await audit(`type=${type}`))[0];

const AUDIT = `query ($kind: EventKind, $first: Int, $after: String) { organization(id: "${organizationId}") {
  auditEvents(kind: $kind, first: $first, after: $after) { totalCount pageInfo { endCursor hasNextPage } nodes {
    id kind actorId client { kind apiTokenId samlProviderId address } changes { setting from to } } } } }`;

const space = (await admin.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Guide' })).body;

test('a change of settings is listed with its client and the values before and after, on both transports', async () => {
  await admin.patch(`/v1/spaces/${space.id}`, { title: 'Handbook', defaultLevel: 'edit' });
  const found = await latest('space_updated');
  expect(found).toMatchObject({ actor: admin.userId, ids: { spaceId: space.id } });
  expect(found?.client).toMatchObject({ kind: 'token', apiTokenId: expect.stringMatching(/^token_/) });
  expect(found?.client?.address).toMatch(/^(127\.0\.0\.1|::1|::\/64)$/);
  expect(found?.changes).toEqual(
    expect.arrayContaining([
      { setting: 'title', from: 'Guide', to: 'Handbook' },
      expect.objectContaining({ setting: 'defaultLevel', to: 'edit' }),
    ]),
  );
  const { nodes } = (await admin.graphql(AUDIT, { kind: 'SPACE_UPDATED' })).organization.auditEvents;
  expect(nodes[0]).toMatchObject({ id: found?.id, client: { kind: 'TOKEN', samlProviderId: null } });
  expect(nodes[0].changes).toContainEqual({ setting: 'title', from: 'Guide', to: 'Handbook' });
});

test('a granted role is listed with the role before it', async () => {
  const permission = `/v1/spaces/${space.id}/permissions/users/${reader.userId}`;
  expect((await admin.patch(permission, { role: 'comment' })).status).toBeLessThan(300);
  expect((await admin.patch(permission, { role: 'review' })).status).toBeLessThan(300);
  const found = await latest('permission_granted');
  expect(found?.changes).toEqual([{ setting: 'role', from: 'comment', to: 'review' }]);
});

test('the tokens of members are events of their organizations, and of no other', async () => {
  const { id, secret } = (await reader.post('/v1/user/tokens', { label: 'Laptop' })).body;
  expect(secret).toMatch(/^stemma_/);
  await reader.delete(`/v1/user/tokens/${id}`);
  const created = await latest('api_token_created');
  expect(created).toMatchObject({ actor: reader.userId, ids: { apiTokenId: id, userId: reader.userId } });
  expect(created?.changes).toContainEqual({ setting: 'label', to: 'Laptop' });
  expect(await latest('api_token_revoked')).toMatchObject({ ids: { apiTokenId: id } });
  const elsewhere = (await outsider.get(`/v1/orgs/${otherOrganizationId}/audit-events?limit=1000`)).body.items;
  expect(elsewhere.filter(({ ids }: Shown) => ids.apiTokenId === id)).toEqual([]);
});

test('the audit is for admins, in a list, in an export and in the graph', async () => {
  for (const client of [creator, reader]) {
    expect((await client.get(path)).status).toBe(403);
    expect((await client.post(`${path}/export`, {})).status).toBe(403);
    await expect(client.graphql(AUDIT)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  }
  expect((await outsider.get(path)).status).toBe(404);
  expect((await outsider.post(`${path}/export`, {})).status).toBe(404);
  expect((await anonymous.get(path)).status).toBe(401);
});

test('edits of content are not in it, and cannot be asked for', async () => {
  await admin.post(`/v1/spaces/${space.id}/change-requests`, { subject: 'Words' });
  expect((await audit()).map(({ type }) => type)).not.toContain('change_request_created');
  const { status, body } = await admin.get(`${path}?type=change_request_created`);
  expect([status, body.error.issues[0].path]).toEqual([400, ['type']]);
});

test('the list is filtered by actor, action, target and time, newest first and page by page', async () => {
  const all = await audit();
  const times = (await admin.get(`${path}?limit=1000`)).body.items.map((each: { createdAt: string }) => each.createdAt);
  expect(times).toEqual(times.toSorted().reverse());
  const { items, next } = (await admin.get(`${path}?limit=2`)).body;
  const rest = (await admin.get(`${path}?limit=1000&page=${next.page}`)).body.items;
  expect([...items, ...rest].map(({ id }: Shown) => id)).toEqual(all.map(({ id }) => id));
  const own = await audit(`actor=${reader.userId}`);
  expect(own.length).toBeGreaterThan(0);
  expect(own.every(({ actor }) => actor === reader.userId)).toBe(true);
  const ofSpace = await audit(`resource=${space.id}`);
  expect(ofSpace.every(({ ids }) => ids.spaceId === space.id)).toBe(true);
  expect(ofSpace.map(({ type }) => type)).toContain('permission_granted');
  expect(await audit('createdBefore=2020-01-01T00:00:00Z')).toEqual([]);
  expect((await audit('createdAfter=2020-01-01T00:00:00Z')).length).toBe(all.length);
});

test('an export has the events of the list, one a line, and is an event itself', async () => {
  const before = await audit('type=space_updated');
  const response = await fetch(`${url}${path}/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'space_updated' }),
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
  const lines = (await response.text()).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(before);
  expect((await latest('audit_events_exported'))?.changes).toEqual([{ setting: 'kind', to: 'space_updated' }]);
  expect((await admin.post(`${path}/export`, { resource: 'nonsense' })).status).toBe(400);
});

test('secrets are in no audited event, whatever is set', async () => {
  const made = async (method: string, address: string, body: object) => {
    const answer = await admin.send(method, address, body);
    expect([address, answer.body.error]).toEqual([address, undefined]);
    return answer.body;
  };
  const { secret } = await made('POST', '/v1/user/tokens', { label: 'CI' });
  const url1 = 'https://hooks.example.com/services/T0/PathSecret99';
  const hook = await made('POST', `/v1/orgs/${organizationId}/webhooks`, { url: url1 });
  const other = await made('PATCH', `/v1/webhooks/${hook.id}`, {
    url: 'https://other.example.com/x?key=QuerySecret77',
  });
  const models = 'https://models.example.com/v1?key=QuerySecret77';
  const provider = { kind: 'openai', model: 'm', apiKey: 'KeySecret55', url: models };
  await made('PUT', `/v1/orgs/${organizationId}/translation-provider`, provider);
  const repository = { url: 'https://ada:PassSecret33@git.example.com/a/b.git', ref: 'refs/heads/main' };
  const git = await made('POST', `/v1/spaces/${space.id}/git/connection`, repository);
  const invited = await made('POST', `/v1/orgs/${organizationId}/invites`, {
    emails: ['eve@example.com'],
    role: 'read',
  });
  const inviteSecret = new URL(invited.invites[0].url).hash.slice(1);
  await made('POST', `/v1/orgs/${organizationId}/saml`, {
    label: 'Company',
    ssoURL: 'https://idp.example.com/sso?token=QuerySecret77',
  });
  const secrets: unknown[] = [secret, hook.secret, other.secret, git.hookSecret, inviteSecret];
  secrets.push('PathSecret99', 'QuerySecret77', 'KeySecret55', 'PassSecret33');
  await settled(app.services.db);
  const rows = await app.services.db.selectFrom('event').selectAll().execute();
  const text = JSON.stringify([rows, await audit()]);
  expect(secrets.filter((each) => typeof each !== 'string' || each.length < 8)).toEqual([]);
  expect(secrets.filter((each) => text.includes(String(each)))).toEqual([]);
  expect((await latest('webhook_updated'))?.changes).toContainEqual({
    setting: 'url',
    from: 'https://hooks.example.com',
    to: 'https://other.example.com',
  });
});

test('an export ends when its reader is no longer an admin', async () => {
  const { db } = app.services;
  await settled(db);
  const { transactionId: _, ...row } = await db
    .selectFrom('event')
    .where('kind', '=', 'space_updated')
    .selectAll()
    .limit(1)
    .executeTakeFirstOrThrow();
  const changes = JSON.stringify(row.changes);
  const copies = Array.from({ length: 3_000 }, () => ({ ...row, changes, id: newId('event') }));
  for (let from = 0; from < copies.length; from += 1_000)
    await db
      .insertInto('event')
      .values(copies.slice(from, from + 1_000) as never)
      .execute();
  await settled(db);
  const ctx = {
    ...jobContext(app.services, 'test'),
    actor: { kind: 'user', userId: creator.userId, isOperator: false, by: 'token' } as const,
  };
  const setRole = (role: 'admin' | 'create') =>
    admin.patch(`/v1/orgs/${organizationId}/members/${creator.userId}`, { role });
  expect((await setRole('admin')).status).toBe(200);
  const lines = auditLines(ctx, { organizationId, filters: auditFilters({ kind: 'space_updated' }) });
  const reading = (async () => {
    let isFirst = true;
    for await (const _chunk of lines) {
      if (isFirst) expect((await setRole('create')).status).toBe(200);
      isFirst = false;
    }
  })();
  await expect(reading).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('audited events are deleted after the set time, and others are kept', async () => {
  const kinds = async () =>
    new Set((await app.services.db.selectFrom('event').select('kind').execute()).map(({ kind }) => kind));
  const run = () =>
    removeOldAuditEvents.run(
      jobContext(app.services, 'test'),
      {},
      { signal: new AbortController().signal, retries: 0 },
    );
  advance(59 * DAY_MS);
  await run();
  expect(await kinds()).toContain('permission_granted');
  advance(2 * DAY_MS);
  await run();
  const left = await kinds();
  expect(left).not.toContain('permission_granted');
  expect(left).toContain('change_request_created');
  expect(await audit()).toEqual([]);
});
