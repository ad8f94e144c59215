import { beforeEach, expect, test } from 'vitest';
import { Client } from '../client.ts';
import { world } from '../world.ts';
import { toNextMinute } from './processes.ts';

const LIMIT = 20;
const TOKEN = 'a-token-for-Prometheus-alone';
const service = await world({ RATE_LIMIT: String(LIMIT), METRICS_TOKEN: TOKEN });
const { admin, anonymous, url } = service;

beforeEach(() => toNextMinute(service));

async function statusesOf(client: Client, path: string, count: number): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let sent = 0; sent < count; sent++) statuses.add((await client.get(path)).status);
  return statuses;
}

test.each([
  '/docs',
  '/metrics',
  '/nothing',
  '/files/org_x/blob/signature/name.png',
  '/pdf/space_x/rev_x?expires=1&signature=x',
  '/uploads/upload_x',
])('%s is counted by address', async (path) => {
  expect(await statusesOf(anonymous, path, LIMIT)).not.toContain(429);
  const { status, headers } = await anonymous.get(path);
  expect(status).toBe(429);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await admin.get('/v1/user')).status).toBe(200);
});

test('requests with the metrics token are not counted', async () => {
  await statusesOf(anonymous, '/docs', LIMIT + 1);
  expect(await statusesOf(new Client(url, TOKEN), '/metrics', LIMIT + 5)).toEqual(new Set([200]));
});

test('guesses of the metrics token are counted', async () => {
  const statuses = await statusesOf(new Client(url, 'a-guess-at-the-token-of-metrics'), '/metrics', LIMIT + 1);
  expect(statuses).toEqual(new Set([401, 429]));
});

test('/healthz has no limit, and /readyz has its own', async () => {
  await statusesOf(anonymous, '/docs', LIMIT + 1);
  expect(await statusesOf(anonymous, '/healthz', LIMIT + 5)).toEqual(new Set([200]));
  expect(await statusesOf(anonymous, '/readyz', LIMIT)).toEqual(new Set([200]));
  expect((await anonymous.get('/readyz')).status).toBe(429);
});
