import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { Client, type RestAnswer } from '../client.ts';
import { world } from '../world.ts';
import { secondProcess, toNextMinute } from './processes.ts';

const LIMIT = 40;
/** Few connections each: the server of the tests serves many. */
const settings = { RATE_LIMIT: String(LIMIT), DATABASE_POOL: '4' };
const service = await world(settings);
const { admin, reader, outsider, anonymous, app, url } = service;
const otherUrl = await secondProcess(service, settings);

beforeEach(() => toNextMinute(service));

const remainingIn = ({ headers }: RestAnswer) => Number(headers.get('x-ratelimit-remaining'));
const minuteEnd = () => Math.floor(app.services.clock().getTime() / 60_000) * 60 + 60;

async function exhaust(client: Client): Promise<number> {
  let passed = 0;
  while ((await client.get('/v1')).status !== 429) passed++;
  return passed;
}

test('every response of REST and the graph has the remaining allowance', async () => {
  const answers = [
    await admin.get('/v1/user'),
    await admin.get('/v1/nothing'),
    await admin.delete('/v1/user'),
    await admin.send('POST', '/v1/orgs', '{', { 'content-type': 'application/json' }),
    await admin.send('POST', '/v1/orgs', 'x', { 'content-type': 'text/plain' }),
    await admin.graphqlRaw('{ viewer { id } }'),
    await admin.graphqlRaw('{'),
    await admin.send('GET', '/graphql', undefined, { accept: 'text/html' }),
    await admin.get('/%761/user'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 405, 400, 415, 200, 200, 200, 200]);
  expect(answers.map(remainingIn)).toEqual(answers.map((_, index) => LIMIT - 1 - index));
  for (const { headers } of answers) {
    expect(headers.get('x-ratelimit-limit')).toBe(String(LIMIT));
    expect(headers.get('x-ratelimit-reset')).toBe(String(minuteEnd()));
  }
});

test('probes are not counted', async () => {
  for (const path of ['/healthz', '/readyz']) {
    expect((await anonymous.get(path)).headers.get('x-ratelimit-limit')).toBeNull();
  }
});

test('over the limit REST and the graph respond with 429 until the minute ends', async () => {
  expect(await exhaust(admin)).toBe(LIMIT);
  const rest = await admin.get('/v1/user');
  expect(rest.status).toBe(429);
  expect(rest.body).toEqual({
    error: {
      code: 429,
      message: expect.stringMatching(/^Rate limit of 40 requests per minute exceeded/),
      requestId: expect.any(String),
    },
  });
  const graph = await admin.graphqlRaw('{ viewer { id } }');
  expect(graph.status).toBe(429);
  expect(graph.body.errors).toMatchObject([{ extensions: { code: 'RATE_LIMITED' } }]);
  for (const { headers } of [rest, graph]) {
    const seconds = Number(headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
  }
  expect((await reader.get('/v1/user')).status).toBe(200);

  toNextMinute(service);
  expect((await admin.get('/v1/user')).status).toBe(200);
});

test('a request over the limit is refused before it is read', async () => {
  await exhaust(admin);
  const { status } = await admin.post('/v1/orgs', { title: 'Too many' });
  expect(status).toBe(429);
  toNextMinute(service);
  const { body } = await admin.get('/v1/orgs');
  expect(body.items.map(({ title }: { title: string }) => title)).not.toContain('Too many');
});

test('two processes share one allowance and together allow exactly the limit', async () => {
  const elsewhere = new Client(otherUrl, reader.token, reader.userId);
  const answers = await Promise.all(
    Array.from({ length: 3 * LIMIT }, (_, index) => (index % 2 === 0 ? reader : elsewhere).get('/v1/user')),
  );
  const statuses = answers.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT);
});

test('a process reserves at most a twentieth of the allowance', async () => {
  const elsewhere = new Client(otherUrl, outsider.token, outsider.userId);
  await elsewhere.get('/v1');
  expect(await exhaust(outsider)).toBe(LIMIT - LIMIT / 20);
  expect(await exhaust(elsewhere)).toBe(LIMIT / 20 - 1);
});

test('without a token requests are counted by address, apart from tokens', async () => {
  expect(await exhaust(anonymous)).toBe(LIMIT);
  expect((await admin.get('/v1/user')).status).toBe(200);
});

test('unknown tokens are counted by address and then refused without a lookup; known ones still work', async () => {
  await admin.get('/v1/user');
  const guess = (index: number) => new Client(url, `stemma_guess_${index}`).get('/v1/user');
  const statuses: number[] = [];
  for (let index = 0; index < LIMIT + 5; index++) statuses.push((await guess(index)).status);
  expect(statuses).toEqual([...Array(LIMIT).fill(401), ...Array(5).fill(429)]);
  expect((await admin.get('/v1/user')).status).toBe(200);
  expect((await anonymous.get('/v1')).status).toBe(200);
});

test('the graph returns the same as the headers, to everyone, free of charge', async () => {
  const query = '{ rateLimit { limit remaining resetAt cost } }';
  for (const client of [admin, anonymous]) {
    const answer = await client.graphqlRaw(query);
    expect(answer.body.data.rateLimit).toEqual({
      limit: LIMIT,
      remaining: remainingIn(answer),
      resetAt: new Date(minuteEnd() * 1000).toISOString(),
      cost: 0,
    });
  }
});

test('the table is unlogged, and past minutes are deleted', async () => {
  const { db } = app.services;
  await anonymous.get('/v1');
  const stored = () => db.selectFrom('rate_lease').selectAll().execute();
  expect((await stored()).length).toBeGreaterThan(1);
  toNextMinute(service);
  toNextMinute(service);
  await admin.get('/v1/user');
  await expect.poll(stored).toHaveLength(1);
  const { rows } = await sql`select relpersistence from pg_class where relname = 'rate_lease'`.execute(db);
  expect(rows).toEqual([{ relpersistence: 'u' }]);
});
