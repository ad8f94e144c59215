import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/start-embedded-postgres.ts';
import { startService } from '../bench/processes.ts';
import { read, type Seen, send, type Target, write } from './callers.ts';

/*
 * The database crashes and comes back under load, again and again, and sessions are cut in between. Afterwards: no answer
 * but successes and 503, every acknowledged write there once, every event delivered, the process alive.
 *
 *   node test/faults/database-restarts.ts [crashes]
 */

const TOKEN = 'stemma_the_token_of_the_fault_tests';
const crashes = Number(process.argv[2] ?? 5);

const directory = await mkdtemp(join(tmpdir(), 'stemma-faults-'));
const dataDir = await openDataDir(join(directory, 'database'));
const database = await startEmbeddedPostgres({ dataDir, log: () => {} });
const received = new Map<string, number>();
const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const { eventId } = JSON.parse(body) as { eventId: string };
    received.set(eventId, (received.get(eventId) ?? 0) + 1);
    response.writeHead(204).end();
  });
}).listen(0, '127.0.0.1');

const service = await startService({
  databaseUrl: database.url,
  dataDir: join(directory, 'service'),
  environment: { BOOTSTRAP_TOKEN: TOKEN, WORKERS: '1', ALLOW_PRIVATE_NETWORK: '1', LOG_LEVEL: 'fatal' },
});

try {
  const ended = new AbortController();
  const target = await prepare(ended.signal);
  const seen: Seen = { statuses: {}, acknowledged: new Set(), longestMs: 0 };
  const callers = [
    ...Array.from({ length: 8 }, (_, index) => write(target, `writer ${index}`, seen)),
    ...Array.from({ length: 4 }, () => read(target, seen)),
  ];
  for (let crash = 1; crash <= crashes; crash++) {
    for (let cut = 0; cut < 3; cut++) {
      await sleep(1_000);
      await onDatabase(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'stemma' order by random() limit 3`,
      );
    }
    await crashDatabase();
  }
  await sleep(3_000);
  ended.abort();
  await Promise.all(callers);
  await report(target, seen);
} finally {
  await service.stop();
  receiver.close();
  await database.stop();
  dataDir.close();
  await rm(directory, { recursive: true, force: true });
}

/** A space, and a webhook that is told of its change requests. */
async function prepare(signal: AbortSignal): Promise<Target> {
  const { url } = service;
  const caller = { url, token: TOKEN };
  const json = async (path: string, body?: unknown) =>
    (await send(caller, path, body === undefined ? {} : { method: 'POST', body }))?.json() as Promise<{
      id: string;
      items: { id: string }[];
    }>;
  const organizationId = (await json('/v1/orgs')).items[0]?.id;
  const { id: spaceId } = await json(`/v1/orgs/${organizationId}/spaces`, { title: 'Under load' });
  const address = receiver.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  await json(`/v1/orgs/${organizationId}/webhooks`, {
    url: `http://127.0.0.1:${port}/`,
    kinds: ['change_request_created'],
  });
  return { ...caller, spaceId, signal };
}

/** One statement; waits for a database that is recovering. */
async function onDatabase(statement: string): Promise<Record<string, unknown>[]> {
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client({ connectionString: database.url });
    client.on('error', () => {}); // cut by the crash that it makes
    try {
      await client.connect();
      return (await client.query(statement)).rows;
    } catch (error) {
      if (attempt === 100) throw error;
      await sleep(100);
    } finally {
      await client.end().catch(() => {});
    }
  }
}

/** Kills one of the server's processes: it ends all the others and recovers from its log. */
async function crashDatabase(): Promise<void> {
  const [victim] = await onDatabase(`select pid from pg_stat_activity where application_name = 'stemma' limit 1`);
  if (victim) process.kill(Number(victim.pid), 'SIGKILL');
}

async function report(target: Target, { statuses, acknowledged, longestMs }: Seen): Promise<void> {
  const rows = await onDatabase('select subject, count(*)::int as count from change_request group by subject');
  const stored = new Map(rows.map(({ subject, count }) => [String(subject), Number(count)]));
  const events = await onDatabase(`select id from event where kind = 'change_request_created'`);
  const isDelivered = () => events.every(({ id }) => received.has(String(id)));
  for (let waited = 0; waited < 120 && !isDelivered(); waited++) await sleep(1_000);
  const isReadable = (await send(target, `/v1/spaces/${target.spaceId}`))?.status === 200;
  const findings = {
    crashes,
    statuses,
    longestWriteMs: Math.round(longestMs),
    acknowledged: acknowledged.size,
    lost: [...acknowledged].filter((subject) => !stored.has(subject)).length,
    doubled: [...stored.values()].filter((count) => count > 1).length,
    events: events.length,
    undelivered: events.filter(({ id }) => !received.has(String(id))).length,
    deliveredTwice: [...received.values()].filter((count) => count > 1).length,
    isRunning: service.isRunning() && isReadable,
  };
  console.log(JSON.stringify(findings, null, 2));
  const unexpected = Object.keys(statuses).filter((status) => !['200', '201', '503'].includes(status));
  if (unexpected.length || findings.lost || findings.doubled || findings.undelivered || !findings.isRunning) {
    console.error('Not as it must be.');
    process.exitCode = 1;
  }
}
