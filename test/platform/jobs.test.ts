import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { JobWithMetadata } from 'pg-boss';
import pino from 'pino';
import { afterAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Context } from '../../src/platform/context/context.ts';
import { enqueue, enqueueAll } from '../../src/platform/jobs/enqueue.ts';
import { defineJob, type Job, jobContext } from '../../src/platform/jobs/job.ts';
import { openJobQueue } from '../../src/platform/jobs/job-queue.ts';
import { runJob } from '../../src/platform/jobs/run-job.ts';
import { command } from '../../src/platform/operation/operation.ts';
import { administer } from '../database.ts';
import { world } from '../world.ts';

const { app, admin, creator, anonymous, databaseUrl } = await world();
const { services } = app;

const seen: string[] = [];
let failures = 0;

const note = defineJob('test-note', z.object({ text: z.string() }), async (_ctx, { text }) => void seen.push(text));

/** Fails as often as `failures` says. */
const flaky = defineJob(
  'test-flaky',
  z.object({ text: z.string() }),
  async (_ctx, { text }) => {
    if (failures-- > 0) throw new Error('on purpose');
    seen.push(text);
  },
  { retries: 1, retryDelay: 0 },
);

const gate = Promise.withResolvers<void>();
const inTurns: string[] = [];

/** One at a time. The first waits for the gate. */
const grouped = defineJob(
  'test-grouped',
  z.object({ text: z.string() }),
  async (_ctx, { text }) => {
    inTurns.push(text);
    if (text === 'first') await gate.promise;
  },
  { concurrency: 1, concurrencyPerGroup: 1 },
);

const kinds = [note, flaky, grouped] as unknown as Job[]; // of all data

/** The service with a queue of these kinds of jobs, which run here. */
const queue = await openJobQueue({ databaseUrl, jobs: kinds, works: true, log: services.log });
const working = { ...services, jobs: queue, log: pino({ level: 'silent' }) };
await queue.work(working);
afterAll(async () => {
  await queue.stopWorking();
  await queue.close();
});

const ctx: Context = {
  ...jobContext(working, 'req-test'),
  actor: { kind: 'user', userId: admin.userId, isOperator: true, by: 'token' },
};

const act = (run: (ctx: Context) => Promise<void>) =>
  command({ name: 'act', scope: 'write', description: 'Acts.', input: z.object({}), run })(ctx, {});

test('a job that a command enqueues runs once the command has committed', async () => {
  await act(async (inside) => {
    await enqueue(inside, note, { text: 'committed' });
    await act((meanwhile) => enqueue(meanwhile, note, { text: 'committed meanwhile' }));
    await expect.poll(() => seen).toContain('committed meanwhile');
    expect(seen).not.toContain('committed');
  });
  await expect.poll(() => seen).toContain('committed');
});

test('a job of a command that rolls back does not exist', async () => {
  const failing = act(async (inside) => {
    await enqueue(inside, note, { text: 'never' });
    throw new Error('on purpose');
  });
  await expect(failing).rejects.toThrow('on purpose');
  await act((inside) => enqueue(inside, note, { text: 'after' }));
  await expect.poll(() => seen).toContain('after');
  expect(seen).not.toContain('never');
});

test('data that does not fit the schema is refused where it is enqueued', async () => {
  await expect(enqueue(ctx, note, { text: 1 } as unknown as { text: string })).rejects.toThrow(/text/);
});

test('groups take turns, however many jobs of another group were enqueued before', async () => {
  const add = (group: string, ...texts: string[]) =>
    act((inside) =>
      enqueueAll(
        inside,
        grouped,
        texts.map((text) => ({ data: { text }, group })),
      ),
    );
  await add('gate', 'first');
  await expect.poll(() => inTurns, { timeout: 10_000 }).toEqual(['first']);
  await add('a', 'a1', 'a2', 'a3');
  await add('a', 'a4');
  await add('b', 'b1', 'b2');
  await add('c', 'c1');
  gate.resolve();
  await expect.poll(() => inTurns.length, { timeout: 30_000 }).toBe(8);
  expect(inTurns).toEqual(['first', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('delayed jobs of a group take turns, too, and do not go before those of others', async () => {
  const add = (text: string, group: string, startAfter?: number) =>
    act((inside) => enqueue(inside, grouped, { text }, { group, ...(startAfter && { startAfter }) }));
  for (const text of ['d1', 'd2', 'd3']) await add(text, 'd', 3_600);
  const { rows } = await sql<{ priority: number }>`
    select priority from pgboss.job where name = 'test-grouped' and group_id = 'd' order by created_on`.execute(
    services.db,
  );
  expect(rows.map(({ priority }) => priority)).toEqual([0, -1, -2]);
});

test('a job that fails runs again', async () => {
  failures = 1;
  await act((inside) => enqueue(inside, flaky, { text: 'second time' }));
  await expect.poll(() => seen).toContain('second time');
});

test('a statement that still runs some time after the end of its attempt is cancelled', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const ending = new AbortController();
  const hanging = defineJob('test-hanging', z.object({}), async ({ db }) => {
    await sql`select pg_sleep(50) as hanging`.execute(db);
  });
  const attempt = { id: 'attempt', data: {}, retryCount: 0, retryLimit: 0, signal: ending.signal };
  const stopping = new AbortController().signal;
  const run = runJob(working, hanging, attempt as unknown as JobWithMetadata, stopping).catch(String); // what it reads
  const active = `select from pg_stat_activity where state = 'active' and query like '%as hanging' and pid <> pg_backend_pid()`;
  await expect.poll(() => administer(databaseUrl, active)).toHaveLength(1);
  ending.abort();
  vi.advanceTimersByTime(29_000);
  expect(await administer(databaseUrl, active)).toHaveLength(1);
  vi.advanceTimersByTime(1_000);
  expect(await run).toContain('its statements were cancelled');
  vi.useRealTimers();
});

test('operators can list and retry dead jobs', async () => {
  failures = 2;
  await act((inside) => enqueue(inside, flaky, { text: 'revived' }));
  const deadOf = async () => (await admin.get('/v1/jobs/dead')).body;
  await expect.poll(async () => (await deadOf()).count).toBe(1);
  const [dead] = (await deadOf()).items;
  expect(dead).toEqual({
    object: 'dead-job',
    id: expect.any(String),
    queue: 'test-flaky',
    data: { text: 'revived' },
    error: expect.stringContaining('on purpose'),
    failedAt: expect.stringMatching(/Z$/),
  });
  const data = await admin.graphql(
    `{ jobQueues { name ready waiting active dead } deadJobs { totalCount nodes { jobId data } } }`,
  );
  expect(data.jobQueues).toContainEqual({ name: 'test-flaky', ready: 0, waiting: 0, active: 0, dead: 1 });
  expect(data.deadJobs).toEqual({ totalCount: 1, nodes: [{ jobId: dead.id, data: { text: 'revived' } }] });

  expect(await admin.mutate('retryDeadJobs', { jobIds: [dead.id] }, 'retriedCount')).toEqual({ retriedCount: 1 });
  await expect.poll(() => seen).toContain('revived');
  expect((await deadOf()).count).toBe(0);
  expect((await admin.post('/v1/jobs/dead/retry', { jobs: [dead.id] })).body).toEqual({ retried: 0 });
});

test('job operations require an operator', async () => {
  expect((await creator.get('/v1/jobs')).status).toBe(403);
  expect((await creator.get('/v1/jobs/dead')).status).toBe(403);
  expect((await creator.post('/v1/jobs/dead/retry', { jobs: ['x'] })).status).toBe(403);
  expect((await admin.post('/v1/jobs/dead/retry', { jobs: ['x'] })).status).toBe(400);
  expect((await anonymous.get('/v1/jobs')).status).toBe(401);
  const { body } = await creator.graphqlRaw('{ jobQueues { name } deadJobs { totalCount } }');
  expect(body.data).toEqual({ jobQueues: null, deadJobs: null });
});

test('jobs of a killed process are run by another', { timeout: 120_000 }, async () => {
  const child = fork(join(import.meta.dirname, 'job-child.ts'), [databaseUrl], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  expect((await once(child, 'message'))[0]).toBe('ready');
  const begun = once(child, 'message');
  child.send('enqueue');
  expect((await begun)[0]).toBe('begun');
  child.kill('SIGKILL');
  await once(child, 'exit');
  // As if the time without a heartbeat had passed.
  await sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '20 seconds' where name = 'test-stuck'`.execute(
    services.db,
  );
  const stuck = defineJob('test-stuck', z.object({}), async () => void seen.push('taken over'));
  const other = await openJobQueue({ databaseUrl, jobs: [stuck] as unknown as Job[], works: true, log: services.log });
  await other.work(working);
  await expect.poll(() => seen, { timeout: 100_000, interval: 200 }).toContain('taken over');
  await other.stopWorking();
  await other.close();
});

test('opening the queue again writes only the settings that differ', async () => {
  const stored = async () => {
    const { rows } = await sql<{ name: string; version: string; limit: number }>`
      select name, xmin::text as version, retry_limit as "limit" from pgboss.queue
      where name in ('test-note', 'test-flaky') order by name`.execute(services.db);
    return rows;
  };
  const reopen = async (jobs: readonly unknown[]) => {
    const again = await openJobQueue({ databaseUrl, jobs: jobs as Job[], works: false, log: services.log });
    await again.close();
    return stored();
  };
  const before = await stored();
  expect(await reopen(kinds)).toEqual(before);
  const patient = defineJob('test-flaky', z.object({}), async () => {}, { retries: 9, retryDelay: 0 });
  const [changed, unchanged] = await reopen([note, patient]);
  expect(changed?.limit).toBe(9);
  expect(unchanged).toEqual(before[1]);
});
