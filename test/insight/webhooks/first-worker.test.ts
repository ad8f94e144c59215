import pino from 'pino';
import { afterAll, expect, test } from 'vitest';
import { type App, createApp } from '../../../src/app.ts';
import { settled } from '../../settled.ts';
import { world } from '../../world.ts';
import { makeReceiver } from './receiver.ts';

const { app, admin, creator, organizationId, databaseUrl } = await world({ WORKERS: '0', ALLOW_PRIVATE_NETWORK: '1' });
const { db } = app.services;

const newSpace = async (title: string) =>
  (await creator.mutate('createSpace', { organizationId, title }, 'space { id }')).space.id as string;

async function startWorker() {
  const { config, secretKeys } = app.services;
  const log = pino({ level: 'error' });
  const worker = await createApp({
    config: { ...config, workers: true },
    databaseUrl,
    secretKey: secretKeys.current,
    log,
  });
  workers.push(worker);
}

const workers: App[] = [];
afterAll(async () => {
  for (const worker of workers) await worker.close();
});

test('events from before the first worker are delivered, but none older than the webhook', async () => {
  const receiver = await makeReceiver();
  await newSpace('Before the webhook');
  await settled(db);
  const webhook = await admin.post(`/v1/orgs/${organizationId}/webhooks`, {
    url: receiver.url,
    kinds: ['space_created'],
  });
  const wanted = [await newSpace('One'), await newSpace('Two')];
  await settled(db);
  await startWorker();
  const delivered = () => receiver.received.map(({ body }) => JSON.parse(body).spaceId).toSorted();
  await expect.poll(delivered, { timeout: 25_000 }).toEqual(wanted.toSorted());

  // A second first start finds the place that was reached.
  await startWorker();
  wanted.push(await newSpace('Three'));
  await expect.poll(delivered, { timeout: 25_000 }).toEqual(wanted.toSorted());
  const { body } = await admin.get(`/v1/webhooks/${webhook.body.id}/deliveries`);
  expect(body.items).toHaveLength(3);
});
