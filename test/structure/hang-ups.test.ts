import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, validate } from 'graphql';
import pino from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { schema } from '../../src/schema.ts';
import { startService } from '../bench/processes.ts';
import { Client } from '../client.ts';
import { makeDatabase } from '../database.ts';
import { Random } from '../faults/random.ts';
import { slowDatabase } from '../slow-database.ts';
import { world } from '../world.ts';
import { furnish, type Ids } from './furnish.ts';
import { hangUp } from './hang-up.ts';
import { fieldsToRead, queryShapes, type ReadShape, routeShapes, subscriptionShapes } from './read-shapes.ts';

vi.setConfig({ testTimeout: 3_600_000 });

/** Number of hang-ups of the long form, which `npm run faults` runs. */
const MANY = Number(process.env.HANG_UPS ?? 0);
/** Enough for all types, routes and subscriptions several times. The long form also has each field alone. */
const FEW = 2_000;
const SEED = Number(process.env.LAW_SEED ?? 20_261_126);

const limits = {
  RATE_LIMIT: '10000000',
  QUERY_COST_PER_MINUTE: '0',
  MAX_QUERY_COST: '1000000000',
  ALLOW_PRIVATE_NETWORK: '1',
};
const METRICS_TOKEN = 'the-token-of-the-metrics';
// Requests wait for the database most of the time, so that most hang-ups meet one or several reads.
const database = await slowDatabase(await makeDatabase());
const { app, admin, url, databaseUrl, organizationId } = await world(limits, {
  log: pino({ level: 'silent' }),
  database,
});
const ids = await furnish(admin, organizationId);
/** The same with a space and a site that everyone can read. */
const open = await readByAll();
const queries = [ids, open].flatMap(queryShapes);
const others: ReadShape[] = [ids, open].flatMap((each) => [...routeShapes(each), ...subscriptionShapes(each)]);
const types = queries.filter(({ name }) => name.endsWith('.*'));
const tokens = [admin.token, admin.token, undefined];

async function readByAll(): Promise<Ids> {
  const idOf = async (list: string, title: string): Promise<string> => {
    const { body } = await admin.get(`/v1/orgs/${organizationId}/${list}?limit=100`);
    return body.items.find((each: { title: string }) => each.title === title).id;
  };
  return { ...ids, space: await idOf('spaces', 'Open'), site: await idOf('sites', 'Public') };
}

/** Rejections that nothing handles, which would end a process of Node. Vitest would only fail the run. */
const unhandled: string[] = [];
const listeners = process.listeners('unhandledRejection');
const note = (reason: unknown) => void unhandled.push(reason instanceof Error ? String(reason.stack) : String(reason));
beforeAll(() => {
  database.delayMs = 4;
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', note);
});
afterAll(() => {
  process.off('unhandledRejection', note);
  for (const listener of listeners) process.on('unhandledRejection', listener);
});

/** The service answers, once it has connections to the database again. */
const expectAnswers = (client: Client) =>
  expect
    .poll(async () => (await client.graphqlRaw('{ viewer { id } }')).body)
    .toEqual({
      data: { viewer: { id: admin.userId } },
    });

test('the queries read every field of the schema', () => {
  const read = new Set(queries.map(({ name }) => name));
  expect(fieldsToRead().filter((name) => !read.has(name))).toEqual([]);
  const invalid = queries.flatMap(({ name, query = '' }) =>
    validate(schema, parse(query)).map(({ message }) => `${name}: ${message}`),
  );
  expect(invalid).toEqual([]);
});

test('a client hangs up while two reads of one field are under way', async () => {
  const random = new Random(SEED);
  const query = `{ space(id: "${open.space}") { visibility } }`;
  const visibility = {
    kind: 'query',
    name: 'visibility',
    method: 'POST',
    path: '/graphql',
    body: JSON.stringify({ query }),
  } as const;
  await hangUp({
    url,
    databaseUrl,
    tokens: [undefined],
    shapes: [visibility],
    count: 200,
    random: () => random.next(),
  });
  await expectAnswers(admin);
  expect(unhandled).toEqual([]);
});

test('clients that hang up, and a database that cuts connections, leave no rejection unhandled', async () => {
  const random = new Random(SEED);
  const shapes = [...types, ...others];
  const done = await hangUp({ url, databaseUrl, tokens, shapes, count: FEW, random: () => random.next() });
  await expectAnswers(admin);
  expect(done.refused).toBe(0);
  expect(unhandled).toEqual([]);
});

test.runIf(MANY > 0)('a process survives thousands of them', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'stemma-hang-ups-'));
  const { current: SECRET_KEY } = app.services.secretKeys;
  const environment = { ...limits, SECRET_KEY, METRICS_TOKEN, WORKERS: '1', LOG_LEVEL: 'fatal' };
  const service = await startService({ databaseUrl, dataDir, environment });
  try {
    const random = new Random(SEED);
    const shapes = [...queries, ...others];
    const plan = { url: service.url, databaseUrl, tokens, shapes, random: () => random.next() };
    const done = await hangUp({ ...plan, count: MANY });
    await expectAnswers(new Client(service.url, admin.token));
    const metrics = await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    const faults = (await metrics.text()).match(/^stemma_process_faults_total.*$/gm);
    const counts = {
      queries: queries.length,
      types: types.length,
      routes: routeShapes(ids).length,
      subscriptions: subscriptionShapes(ids).length,
    };
    console.log(JSON.stringify({ ...counts, ...done, faults, isRunning: service.isRunning() }, null, 2));
    expect(faults).toEqual([
      'stemma_process_faults_total{fault="unhandled_rejection"} 0',
      'stemma_process_faults_total{fault="uncaught_exception"} 0',
    ]);
    expect([done.refused, service.isRunning()]).toEqual([0, true]);
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});
