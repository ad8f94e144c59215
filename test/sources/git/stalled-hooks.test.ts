import type { Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { Client } from '../../client.ts';
import { sendRaw } from '../../raw-requests.ts';
import { world } from '../../world.ts';
import { gitServer, newSpace } from './arrange.ts';
import { connect, githubHook } from './connect.ts';

const METRICS_TOKEN = 'a-token-for-Prometheus-alone';
const { admin, organizationId, url } = await world({ ALLOW_PRIVATE_NETWORK: '1', TRUST_PROXY: '1', METRICS_TOKEN });
const server = await gitServer();
const repository = await server.repository('stalled');
await repository.commit({ 'README.md': '# Home\n' });
const connection = await connect(admin, await newSpace(admin, organizationId), { url: repository.url });
const prometheus = new Client(url, METRICS_TOKEN);

/**
 * Number of hooks of one address that are received at a time, each with up to 256 kB: 4 MB of the 32 for all addresses.
 */
const AT_ONCE = 16;
const ADDRESSES = Array.from({ length: 8 }, (_, index) => `203.0.113.${index}`);
/** Of 256 kB, so that there is no room for one of the hooks that follow. */
const SENT = 262_000;
const FOLLOWING = 20_000;

class Stalled {
  readonly socket: Socket;
  received = '';

  constructor(address: string) {
    const path = `/v1/hooks/git/${connection.id}`;
    const headers = { ...from(address), 'content-length': '1000000', 'x-hub-signature-256': 'sha256=00' };
    this.socket = sendRaw(url, { path, headers, body: 'x'.repeat(SENT) });
    this.socket.on('data', (chunk) => {
      this.received += chunk;
    });
    this.socket.resume();
  }

  get status() {
    return Number(/^HTTP\/1\.1 (\d+)/.exec(this.received)?.[1]);
  }
}

const from = (address: string) => ({ 'x-forwarded-for': address });
const push = (address: string) =>
  githubHook(url, connection, 'push', { ref: 'refs/heads/main', more: 'x'.repeat(FOLLOWING) }, from(address));
const stalled: Stalled[] = [];
const stallAt = (address: string) => stalled.push(...Array.from({ length: AT_ONCE }, () => new Stalled(address)));
afterAll(() => {
  for (const { socket } of stalled) socket.destroy();
});

async function held(): Promise<number> {
  const { body } = await prometheus.get('/metrics');
  return Number(/^stemma_held_bytes\{what="bodies",share="anonymous"\} (\d+)$/m.exec(body)?.[1]);
}

test('hooks that stall take the memory and the places of their address', async () => {
  const [first = ''] = ADDRESSES;
  stallAt(first);
  await expect.poll(held).toBeGreaterThanOrEqual(AT_ONCE * SENT);
  expect(await push(first)).toBe(503);
  expect(await push('203.0.113.100')).toBe(202);
});

test('hooks that stall at many addresses leave memory to callers with a token', async () => {
  for (const address of ADDRESSES.slice(1)) stallAt(address);
  await expect.poll(held).toBeGreaterThanOrEqual(ADDRESSES.length * AT_ONCE * SENT);
  expect(await push('203.0.113.100')).toBe(503);
  expect((await admin.graphqlRaw('{ __typename }')).status).toBe(200);
});

test('hooks that stall are given up after a minute', { timeout: 120_000 }, async () => {
  const statuses = () => new Set(stalled.map(({ status }) => status));
  await expect.poll(statuses, { timeout: 90_000, interval: 200 }).toEqual(new Set([408]));
  await expect.poll(held).toBe(0);
  expect(await push(ADDRESSES[0] ?? '')).toBe(202);
});
