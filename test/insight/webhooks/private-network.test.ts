import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { makeReceiver } from './receiver.ts';

const { admin, organizationId } = await world({ WORKERS: '1' });

test('nothing is sent to private addresses', async () => {
  const receiver = await makeReceiver();
  const path = `/v1/orgs/${organizationId}/webhooks`;
  const { body: webhook } = await admin.post(path, { url: receiver.url, kinds: ['space_created'] });
  await admin.mutate('createSpace', { organizationId }, 'space { id }');
  const newest = async () => (await admin.get(`/v1/webhooks/${webhook.id}/deliveries`)).body.items[0];
  await expect.poll(async () => (await newest())?.status, { timeout: 25_000 }).toBe('failed');
  expect(await newest()).toMatchObject({ attempts: 1, error: expect.stringContaining('private address') });
  expect(receiver.received).toEqual([]);
});
