import { expect, test } from 'vitest';
import { decryptSecret, encryptSecret } from '../../../src/platform/secret-key/secrets.ts';
import { world } from '../../world.ts';

const { app, admin, creator, outsider, anonymous, organizationId } = await world();

const path = `/v1/orgs/${organizationId}/webhooks`;
const url = 'https://example.com/hook';

const newWebhook = async () => (await admin.post(path, { url })).body;

test('is created with a secret that is shown once and stored encrypted', async () => {
  const { status, body, headers } = await admin.post(path, {
    url,
    label: 'Chat',
    kinds: ['space_created', 'space_created'],
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({ object: 'webhook', url, label: 'Chat', kinds: ['space_created'], paused: false });
  expect(body.secret).toMatch(/^whsec_[\w-]{43}$/);
  expect(headers.get('location')).toMatch(new RegExp(`/v1/webhooks/${body.id}$`));
  const { secret, ...shown } = body;
  expect((await admin.get(`/v1/webhooks/${body.id}`)).body).toEqual(shown);
  const row = await app.services.db
    .selectFrom('webhook')
    .where('id', '=', body.id)
    .select('secret')
    .executeTakeFirstOrThrow();
  expect(Buffer.from(row.secret).includes(Buffer.from(secret))).toBe(false);
  expect(decryptSecret(app.services.secretKeys, body.id, row.secret)).toBe(secret);
});

test('a stored secret is of no use elsewhere, changed, or under another key', () => {
  const keys = { current: 'key' };
  const stored = encryptSecret(keys, 'place', 'secret');
  const changed = Buffer.from(stored);
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
  expect(decryptSecret(keys, 'place', stored)).toBe('secret');
  expect(encryptSecret(keys, 'place', 'secret').equals(stored)).toBe(false);
  expect(decryptSecret(keys, 'other place', stored)).toBeUndefined();
  expect(decryptSecret({ current: 'other key' }, 'place', stored)).toBeUndefined();
  expect(decryptSecret({ current: 'other key', previous: 'key' }, 'place', stored)).toBe('secret');
  expect(decryptSecret(keys, 'place', changed)).toBeUndefined();
  expect(decryptSecret(keys, 'place', stored.subarray(0, 20))).toBeUndefined();
  expect(decryptSecret(keys, 'place', Buffer.from('?'))).toBeUndefined();
});

test('can be changed, paused and resumed, with events', async () => {
  const { id } = await newWebhook();
  const selection = 'webhook { url kinds isPaused pausedAt pauseReason }';
  const changed = await admin.mutate('updateWebhook', { webhookId: id, kinds: ['SPACE_DELETED'] }, selection);
  expect(changed.webhook).toMatchObject({ url, kinds: ['SPACE_DELETED'], isPaused: false });
  const paused = await admin.patch(`/v1/webhooks/${id}`, { paused: true });
  expect(paused.body).toMatchObject({ paused: true, pausedAt: expect.any(String) });
  const resumed = await admin.mutate('updateWebhook', { webhookId: id, isPaused: false }, selection);
  expect(resumed.webhook).toMatchObject({ isPaused: false, pausedAt: null, kinds: ['SPACE_DELETED'] });
  await admin.patch(`/v1/webhooks/${id}`, { paused: false });
  const events = await app.services.db.selectFrom('event').select(['kind', 'ids']).orderBy('id').execute();
  const ours = events.filter(({ ids }) => ids.webhookId === id).map(({ kind }) => kind);
  expect(ours).toEqual(['webhook_created', 'webhook_updated', 'webhook_paused', 'webhook_resumed']);
});

test('is listed on both transports until it is deleted', async () => {
  const { id } = await newWebhook();
  const listed = (await admin.get(path)).body.items.map((webhook: { id: string }) => webhook.id);
  expect(listed).toContain(id);
  const query =
    'query($id: ID!) { organization(id: $id) { webhooks { nodes { id label deliveries { totalCount } } } } }';
  const { organization } = await admin.graphql(query, { id: organizationId });
  expect(organization.webhooks.nodes.map((webhook: { id: string }) => webhook.id)).toEqual(listed);
  expect(await admin.mutate('deleteWebhook', { webhookId: id }, 'deletedId organization { id }')).toEqual({
    deletedId: id,
    organization: { id: organizationId },
  });
  expect(await admin.mutate('deleteWebhook', { webhookId: id }, 'deletedId')).toEqual({ deletedId: null });
  expect((await admin.delete(`/v1/webhooks/${id}`)).status).toBe(204);
  expect((await admin.get(`/v1/webhooks/${id}`)).status).toBe(404);
});

test('requires an admin of the organization, and is absent for others', async () => {
  const { id } = await newWebhook();
  expect((await creator.get(path)).status).toBe(403);
  expect((await creator.post(path, { url })).status).toBe(403);
  expect((await creator.post(path, { url: 'no address' })).status).toBe(403);
  expect((await creator.get(`/v1/webhooks/${id}`)).status).toBe(404);
  expect((await creator.get(`/v1/webhooks/${id}/deliveries`)).status).toBe(404);
  expect((await creator.patch(`/v1/webhooks/${id}`, { label: 'x' })).status).toBe(404);
  expect((await creator.delete(`/v1/webhooks/${id}`)).status).toBe(204);
  expect((await outsider.get(path)).status).toBe(404);
  expect((await outsider.patch(`/v1/webhooks/${id}`, { label: 'x' })).status).toBe(404);
  expect((await outsider.get(`/v1/webhooks/${id}`)).status).toBe(404);
  expect((await outsider.delete(`/v1/webhooks/${id}`)).status).toBe(204);
  expect((await anonymous.get(path)).status).toBe(401);
  const nodes = [creator, outsider].map(async (client) =>
    client.graphql('query($id: ID!) { node(id: $id) { id } }', { id }),
  );
  expect(await Promise.all(nodes)).toEqual([{ node: null }, { node: null }]);
  expect((await admin.get(`/v1/webhooks/${id}`)).status).toBe(200);
});

test.each([
  [{ url: 'ftp://example.com' }],
  [{ url: 'https://user:password@example.com/' }],
  [{ url: 'https://example.com/', kinds: ['nothing'] }],
  [{ url: 'https://example.com/', label: 'x'.repeat(101) }],
  [{}],
])('refuses %j', async (body) => {
  expect((await admin.post(path, body)).status).toBe(400);
});

test('an organization has at most 20', async () => {
  const present = (await admin.get(path)).body.count;
  const statuses = await Promise.all(
    Array.from({ length: 21 - present }, async () => (await admin.post(path, { url })).status),
  );
  expect(statuses.toSorted()).toEqual([...Array.from({ length: 20 - present }, () => 201), 409]);
});
