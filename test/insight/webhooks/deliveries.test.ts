import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { deliverWebhook } from '../../../src/domain/insight/webhooks/deliver-webhook.ts';
import { webhookConsumer } from '../../../src/domain/insight/webhooks/webhook-consumer.ts';
import { claimBatch } from '../../../src/platform/events/event-consumer.ts';
import { world } from '../../world.ts';
import { makeReceiver } from './receiver.ts';

const { app, admin, creator, outsider, organizationId, otherOrganizationId } = await world({
  WORKERS: '1',
  ALLOW_PRIVATE_NETWORK: '1',
});

const path = `/v1/orgs/${organizationId}/webhooks`;

async function newWebhook(url: string, kinds: string[] = ['space_created']) {
  const { body } = await admin.post(path, { url, kinds });
  return body as { id: string; secret: string };
}

const newSpace = async () =>
  (await creator.mutate('createSpace', { organizationId }, 'space { id }')).space.id as string;

const deliveriesOf = async (id: string) => (await admin.get(`/v1/webhooks/${id}/deliveries`)).body.items;

/** Waits until the newest delivery has come so far. */
const reaches = (id: string, status: string, timeout = 25_000) =>
  expect.poll(async () => (await deliveriesOf(id))[0]?.status, { timeout, interval: 100 }).toBe(status);

const remove = (id: string) => admin.delete(`/v1/webhooks/${id}`);

test('an event is sent once, signed, to the webhooks subscribed to its type', async () => {
  const [receiver, other] = [await makeReceiver(), await makeReceiver()];
  const webhook = await newWebhook(receiver.url);
  const unconcerned = await newWebhook(other.url, ['space_deleted']);
  const spaceId = await newSpace();
  await reaches(webhook.id, 'succeeded');
  const [received] = receiver.received;
  const { t, v1 } =
    /^t=(?<t>\d+),v1=(?<v1>[0-9a-f]{64})$/.exec(String(received?.headers['x-stemma-signature']))?.groups ?? {};
  expect(createHmac('sha256', webhook.secret).update(`${t}.${received?.body}`).digest('hex')).toBe(v1);
  expect(received?.headers['x-gitbook-signature']).toBe(received?.headers['x-stemma-signature']);
  expect(received?.headers).toMatchObject({ 'content-type': 'application/json', 'x-stemma-event': 'space_created' });
  expect(JSON.parse(received?.body ?? '')).toEqual({
    eventId: expect.stringMatching(/^event_/),
    type: 'space_created',
    spaceId,
    organizationId,
    actorId: creator.userId,
    client: { kind: 'token', apiTokenId: expect.stringMatching(/^token_/), address: expect.any(String) },
    changes: [],
    createdAt: expect.any(String),
  });
  const [delivery] = await deliveriesOf(webhook.id);
  expect(delivery).toMatchObject({
    status: 'succeeded',
    attempts: 1,
    responseStatus: 204,
    event: JSON.parse(received?.body ?? '').eventId,
  });
  expect(received?.headers['x-stemma-delivery']).toBe(delivery.id);
  expect(receiver.received).toHaveLength(1);
  expect(other.received).toEqual([]);
  await Promise.all([remove(webhook.id), remove(unconcerned.id)]);
});

test('temporary failures are retried with backoff', async () => {
  const receiver = await makeReceiver();
  const statuses = [500, 429, 503, 200];
  receiver.answer = (response, count) => void response.writeHead(statuses[count - 1] ?? 200).end('no matter');
  const webhook = await newWebhook(receiver.url);
  await newSpace();
  await reaches(webhook.id, 'succeeded');
  expect((await deliveriesOf(webhook.id))[0]).toMatchObject({ attempts: 4, responseStatus: 200 });
  // Lower bounds only: whatever else the machine does makes pauses longer, never shorter.
  const [first = 0, second = 0, third = 0, fourth = 0] = receiver.received.map(({ at }) => at);
  expect(second - first).toBeGreaterThanOrEqual(900);
  expect(third - second).toBeGreaterThanOrEqual(1_900);
  expect(fourth - third).toBeGreaterThanOrEqual(3_900);
  await remove(webhook.id);
});

test('permanent failures are not retried, and redirects are not followed', async () => {
  const [receiver, secret] = [await makeReceiver(), await makeReceiver()];
  receiver.answer = (response) => void response.writeHead(302, { location: secret.url }).end();
  const webhook = await newWebhook(receiver.url);
  await newSpace();
  await reaches(webhook.id, 'failed');
  expect((await deliveriesOf(webhook.id))[0]).toMatchObject({
    attempts: 1,
    responseStatus: 302,
    error: expect.stringContaining('redirect'),
  });
  expect(secret.received).toEqual([]);

  receiver.answer = (response) => void response.writeHead(410).end();
  const [old] = await deliveriesOf(webhook.id);
  const { delivery } = await admin.mutate(
    'redeliverWebhookEvent',
    { deliveryId: old.id },
    'delivery { deliveryId status event { id } }',
  );
  expect(delivery).toEqual({ deliveryId: expect.any(String), status: 'PENDING', event: { id: old.event } });
  await reaches(webhook.id, 'failed');
  receiver.answer = (response) => void response.writeHead(200).end();
  const redeliver = () =>
    admin.send('POST', `/v1/webhook-deliveries/${old.id}/redeliver`, undefined, { 'idempotency-key': 'again' });
  const again = await redeliver();
  expect(again.status).toBe(201);
  await reaches(webhook.id, 'succeeded');
  const repeated = await redeliver();
  expect([repeated.status, repeated.body.id]).toEqual([201, again.body.id]);
  expect((await creator.post(`/v1/webhook-deliveries/${old.id}/redeliver`)).status).toBe(404);
  expect((await outsider.post(`/v1/webhook-deliveries/${old.id}/redeliver`)).status).toBe(404);
  await remove(webhook.id);
});

test('receivers that hang time out after ten seconds, without delaying other organizations, however many there are', {
  timeout: 60_000,
}, async () => {
  const [hanging, quick] = [await makeReceiver(), await makeReceiver()];
  hanging.answer = () => {};
  const slow = await Promise.all(Array.from({ length: 10 }, () => newWebhook(hanging.url)));
  const fast = await outsider.post(`/v1/orgs/${otherOrganizationId}/webhooks`, {
    url: quick.url,
    kinds: ['space_created'],
  });
  const failedOnce = async () => {
    const deliveries = (await Promise.all(slow.map(({ id }) => deliveriesOf(id)))).flat();
    return deliveries.find(({ error }: { error?: string }) => error);
  };
  await Promise.all(Array.from({ length: 5 }, newSpace));
  await expect.poll(() => hanging.received.length).toBeGreaterThan(1);
  for (let count = 0; count < 3; count++) {
    await outsider.mutate('createSpace', { organizationId: otherOrganizationId }, 'space { id }');
  }
  await expect.poll(() => quick.received.length).toBe(3);
  expect(await failedOnce()).toBeUndefined();
  await expect
    .poll(failedOnce, { timeout: 30_000 })
    .toMatchObject({ status: 'pending', error: expect.stringContaining('10000 ms') });
  const { milliseconds } = await failedOnce();
  // Not sooner; what ended it is in its error, so that no bound above has to hold on a busy machine.
  expect(milliseconds).toBeGreaterThan(9_900);
  await Promise.all([...slow.map(({ id }) => remove(id)), outsider.delete(`/v1/webhooks/${fast.body.id}`)]);
});

test('receivers of five organizations that hang do not delay those of others', { timeout: 60_000 }, async () => {
  const [hanging, quick] = [await makeReceiver(), await makeReceiver()];
  hanging.answer = () => {};
  const kinds = ['space_created'];
  const organizations = await Promise.all(
    Array.from({ length: 5 }, async (_, at) => {
      const made = await outsider.mutate('createOrganization', { title: `Slow ${at}` }, 'organization { id }');
      const all = `/v1/orgs/${made.organization.id}/webhooks`;
      await Promise.all(Array.from({ length: 4 }, () => outsider.post(all, { url: hanging.url, kinds })));
      return made.organization.id as string;
    }),
  );
  const fast = await outsider.post(`/v1/orgs/${otherOrganizationId}/webhooks`, { url: quick.url, kinds });
  for (const id of organizations) await outsider.mutate('createSpace', { organizationId: id }, 'space { id }');
  await expect.poll(() => hanging.received.length).toBe(10);
  await outsider.mutate('createSpace', { organizationId: otherOrganizationId }, 'space { id }');
  await expect.poll(() => quick.received.length).toBe(1);
  // None has ended yet, so that no other one has begun.
  expect(hanging.received).toHaveLength(10);
  await Promise.all([
    outsider.delete(`/v1/webhooks/${fast.body.id}`),
    ...organizations.map((id) => outsider.delete(`/v1/orgs/${id}`)),
  ]);
});

test('a delivery that was enqueued by the ID of its webhook is made', async () => {
  const receiver = await makeReceiver();
  const webhook = await newWebhook(receiver.url);
  const { db, jobs } = app.services;
  await newSpace();
  await reaches(webhook.id, 'succeeded');
  const [{ id }] = await deliveriesOf(webhook.id);
  await db.updateTable('webhook_delivery').set({ status: 'pending', attempts: 0 }).where('id', '=', id).execute();
  // As releases before grouped their jobs.
  await jobs.boss.insert(deliverWebhook.name, [{ data: { deliveryId: id }, group: { id: webhook.id } }]);
  await reaches(webhook.id, 'succeeded');
  expect(receiver.received).toHaveLength(2);
  await remove(webhook.id);
});

test('a webhook is paused after ten consecutive failures, with an event, and can be resumed', {
  timeout: 60_000,
}, async () => {
  const [receiver, watcher] = [await makeReceiver(), await makeReceiver()];
  receiver.answer = (response) => void response.writeHead(400).end();
  const failing = await newWebhook(receiver.url);
  const watching = await newWebhook(watcher.url, ['webhook_paused']);
  for (let count = 0; count < 9; count++) await newSpace();
  await expect.poll(() => receiver.received.length).toBe(9);
  expect((await admin.get(`/v1/webhooks/${failing.id}`)).body.paused).toBe(false);
  await newSpace();
  await expect
    .poll(async () => (await admin.get(`/v1/webhooks/${failing.id}`)).body)
    .toMatchObject({
      paused: true,
      pauseReason: '10 deliveries in a row failed.',
      failureStreak: 10,
    });
  await expect.poll(() => watcher.received.length).toBe(1);
  expect(JSON.parse(watcher.received[0]?.body ?? '')).toMatchObject({
    type: 'webhook_paused',
    webhookId: failing.id,
    actorId: null,
  });

  await newSpace();
  const [delivery] = await deliveriesOf(failing.id);
  expect((await admin.post(`/v1/webhook-deliveries/${delivery.id}/redeliver`)).status).toBe(409);
  receiver.answer = (response) => void response.writeHead(200).end();
  await admin.patch(`/v1/webhooks/${failing.id}`, { paused: false });
  await newSpace();
  await reaches(failing.id, 'succeeded');
  await Promise.all([remove(failing.id), remove(watching.id)]);
});

test('events recorded while no process ran are delivered later', async () => {
  const receiver = await makeReceiver();
  const webhook = await newWebhook(receiver.url);
  const lock = app.services.db.transaction().execute(async (db) => {
    await db.selectFrom('event_consumer').where('name', '=', 'webhooks').forUpdate().select('name').execute();
    await newSpace();
    // Whoever looks for events now leaves them to the one that has the place.
    expect(await claimBatch(app.services, webhookConsumer)).toBe(0);
    expect(receiver.received).toEqual([]);
  });
  await lock;
  await reaches(webhook.id, 'succeeded');
  expect(receiver.received).toHaveLength(1);
  await remove(webhook.id);
});
