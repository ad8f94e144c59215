import { beforeEach, expect, test } from 'vitest';
import { addressBucket, networkOf } from '../../src/platform/rate-limit/address-bucket.ts';
import { sliceOf } from '../../src/platform/rate-limit/rate-limiter.ts';
import { Client } from '../client.ts';
import { world } from '../world.ts';
import { toNextMinute } from './processes.ts';

const usual = await world({ DATABASE_POOL: '4' });
const behindProxy = await world({ RATE_LIMIT: '5', TRUST_PROXY: '1' });
const unproxied = await world({ RATE_LIMIT: '5' });
const unlimited = await world({ RATE_LIMIT: '0' });

beforeEach(() => {
  for (const service of [usual, behindProxy, unproxied]) toNextMinute(service);
});

const through = async ({ url }: { url: string }, forwarded: string) => {
  const answer = await new Client(url).send('GET', '/v1', undefined, { 'x-forwarded-for': forwarded });
  return Number(answer.headers.get('x-ratelimit-remaining'));
};

test('one statement leases a slice that many requests use', async () => {
  const answers = await Promise.all(Array.from({ length: 100 }, () => usual.admin.get('/v1/user')));
  const remaining = answers.map(({ headers }) => Number(headers.get('x-ratelimit-remaining'))).sort((a, b) => b - a);
  expect(remaining).toEqual(Array.from({ length: 100 }, (_, index) => 5_999 - index));
  const leases = await usual.app.services.db.selectFrom('rate_lease').select('taken').execute();
  expect(leases).toEqual([{ taken: 300 }]);
});

test('slices are a twentieth of the limit, then a tenth of what is left, and one at least', () => {
  expect([6_000, 3_000, 1_000, 15, 1, 0].map((remaining) => sliceOf(6_000, remaining))).toEqual([
    300, 300, 100, 1, 1, 1,
  ]);
  expect(sliceOf(1, 1)).toBe(1);
});

test('forwarded addresses from clients are ignored', async () => {
  expect(await through(unproxied, '198.51.100.1')).toBe(4);
  expect(await through(unproxied, '198.51.100.2')).toBe(3);
});

test('behind a proxy the address that it saw counts, regardless of earlier entries', async () => {
  expect(await through(behindProxy, '198.51.100.1')).toBe(4);
  expect(await through(behindProxy, '198.51.100.2')).toBe(4);
  expect(await through(behindProxy, '203.0.113.9, 198.51.100.1')).toBe(3);
  expect(await through(behindProxy, 'nonsense')).toBe(4);
  expect(await through(behindProxy, '2001:db8:1:2::1')).toBe(4);
  expect(await through(behindProxy, '2001:db8:1:2:ffff::1')).toBe(3);
});

test.each([
  ['198.51.100.1', 'address:198.51.100.1'],
  ['::ffff:198.51.100.1', 'address:198.51.100.1'],
  ['2001:db8:1:2:3:4:5:6', 'address:2001:db8:1:2::/64'],
  ['::1', 'address:::/64'],
  [`${'x'.repeat(1_000)}`, `address:${'x'.repeat(64)}`],
])('%s is counted as %s', (address, bucket) => expect(addressBucket(address)).toBe(bucket));

test.each([
  ['198.51.100.7', 'network:198.51.100.0/24'],
  ['2001:db8:1:2:3:4:5:6', 'network:2001:db8:1::/48'],
  ['nonsense', 'address:nonsense'],
])('%s is in the network %s', (address, network) => expect(networkOf(addressBucket(address))).toBe(network));

test('with RATE_LIMIT=0 nothing is counted or returned', async () => {
  const { headers } = await unlimited.admin.get('/v1/user');
  expect(headers.get('x-ratelimit-limit')).toBeNull();
  const { rateLimit } = await unlimited.admin.graphql('{ rateLimit { limit remaining resetAt cost maxCost } }');
  expect(rateLimit).toEqual({ limit: null, remaining: null, resetAt: null, cost: 0, maxCost: 50_000 });
  expect(await unlimited.app.services.db.selectFrom('rate_lease').selectAll().execute()).toEqual([]);
});
