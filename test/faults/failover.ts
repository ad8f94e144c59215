import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { markHandled } from '../../src/lib/mark-handled.ts';
import { SECRET_KEY } from '../bench/database.ts';
import { type ServerProcess, startService } from '../bench/processes.ts';
import { findInstalledPostgres, SUPPORTED } from '../installed-postgres.ts';
import { startS3 } from '../platform/s3-service.ts';
import { checkEffects } from './failover-checks.ts';
import { callerOf, Load, runCallers, type Scene, TOKEN } from './failover-load.ts';
import { startGitHttpServer } from './git-http-server.ts';
import { startLocalServer } from './local-server.ts';
import { type Kill, missingPackages, type PatroniCluster, startPatroni } from './patroni-cluster.ts';
import { type Receiver, startReceiver } from './webhook-receiver.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';

/*
 * Two servers and a worker on three nodes of PostgreSQL with Patroni, etcd and HAProxy, with synchronous replication. The leader is
 * killed again and again, by turns alone and with its node, while callers merge, comment, import, ingest, synchronize with Git in
 * both directions and read over both transports. Each request is sent again with its idempotency key until it is acknowledged. In
 * the end, everything acknowledged is there once, every job has run and every run has ended, no reader saw less than what was
 * acknowledged before, no process has ended, and both servers wrote again within ten seconds of each promotion.
 *
 *   node test/faults/failover.ts [kills]
 */

const WITHIN_MS = 10_000;
const kills = Number(process.argv[2] ?? 20);

const SITE: Record<string, string> = {
  '/': '<main><h1>Home</h1><p><a href="/a">A</a></p></main>',
  '/a': '<main><h1>A page</h1></main>',
};

interface Installation {
  cluster: PatroniCluster;
  servers: ServerProcess[];
  worker: WorkerProcess;
}

async function run(directory: string): Promise<void> {
  process.env.AWS_ACCESS_KEY_ID = 'S3RVER';
  process.env.AWS_SECRET_ACCESS_KEY = 'S3RVER';
  const home = await mkdtemp(join(tmpdir(), 'stemma-failover-'));
  const closers: (() => unknown)[] = [];
  try {
    const bucket = await startS3();
    closers.push(() => bucket.close());
    await mkdir(join(home, 'cluster'));
    // PostgreSQL runs as another user.
    execFileSync('chmod', ['755', home]);
    const cluster = await startPatroni(join(home, 'cluster'), directory);
    closers.push(() => cluster.stop());
    await createOwnDatabase(cluster.url);
    const environment = {
      ALLOW_PRIVATE_NETWORK: '1',
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      BOOTSTRAP_TOKEN: TOKEN,
      // Each interrupted request is a warning.
      LOG_LEVEL: 'error',
      STORAGE_URL: `s3://blobs/files?region=us-east-1&endpoint=${bucket.url}`,
    };
    const servers: ServerProcess[] = [];
    for (const name of ['first', 'second']) {
      const server = await startService({ databaseUrl: cluster.url, dataDir: join(home, name), environment });
      servers.push(server);
      closers.push(() => server.stop());
    }
    const own = { DATABASE_URL: cluster.url, DATA_DIR: join(home, 'worker'), LOG_LEVEL: 'info', SECRET_KEY };
    const worker = await startWorker(join(import.meta.dirname, '../../dist/worker.mjs'), { ...environment, ...own });
    closers.push(() => worker.stop());
    await mkdir(join(home, 'git'));
    const git = await startGitHttpServer(join(home, 'git'));
    closers.push(() => git.close());
    const site = await startSite();
    closers.push(() => site.close());
    const receiver = await startReceiver();
    closers.push(() => receiver.close());
    const repository = { gitdir: await git.create('docs'), gitUrl: `${git.url}/docs.git` };
    await test({ cluster, servers, worker }, { ...repository, siteUrl: site.url, receiver });
  } finally {
    for (const close of closers.toReversed()) await close();
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** A role without privileges on the server, and a database that it owns. */
async function createOwnDatabase(url: string): Promise<void> {
  const administrators = new URL(url);
  administrators.username = 'postgres';
  administrators.pathname = '/postgres';
  // HAProxy finds the leader within a second.
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client({ connectionString: administrators.href });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('create role stemma login');
      await client.query('create database stemma owner stemma');
      return;
    } catch (error) {
      if (attempt === 50) throw error;
      await sleep(200);
    } finally {
      await client.end().catch(() => {});
    }
  }
}

/** A website to import. */
const startSite = () =>
  startLocalServer(({ url = '/' }, response) => {
    const page = SITE[url];
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  });

interface Outside {
  gitdir: string;
  gitUrl: string;
  siteUrl: string;
  receiver: Receiver;
}

async function test({ cluster, servers, worker }: Installation, outside: Outside): Promise<void> {
  const { receiver, ...surroundings } = outside;
  const load = new Load();
  const call = callerOf(servers, load);
  const { items } = await call('GET', '/v1/orgs');
  const organizationId = items[0]?.id ?? '';
  const create = async (title: string) => {
    const { id } = await call('POST', `/v1/orgs/${organizationId}/spaces`, { title, empty: true }, title);
    return id;
  };
  const spaceId = await create('Merged');
  const spaces = { spaceId, exportedId: await create('Exported'), importedId: await create('Imported') };
  const pageOf = (title: string) => ({
    operation: 'insert_page',
    title,
    document: { markdown: 'It begins.' },
  });
  const changes = ['first', 'second'].map(pageOf);
  await call('POST', `/v1/spaces/${spaceId}/content`, { changes }, 'pages');
  const hook = { url: receiver.url, kinds: ['comment_posted'] };
  await call('POST', `/v1/orgs/${organizationId}/webhooks`, hook, 'webhook');

  const scene: Scene = { load, call, organizationId, ...spaces, ...surroundings };
  const callers = runCallers(scene);
  markHandled(callers);
  const table: object[] = [];
  for (let kill = 1; kill <= kills; kill++) {
    await cluster.complete();
    await sleep(500 + Math.random() * 1_500);
    table.push(await failOver(cluster, servers, kill % 2 === 0 ? 'node' : 'server', { scene, kill }));
    console.error(JSON.stringify(table.at(-1)));
  }
  await cluster.complete();
  load.isOver = true;
  await callers;
  await checkEffects(scene, cluster.url, receiver);
  for (const [index, server] of servers.entries())
    if (!server.isRunning()) load.faults.push(`Server ${index} has ended.`);
  if (!worker.isRunning()) load.faults.push('The worker has ended.');
  report(table, scene, receiver);
}

/** Kills the leader, and measures the time until another one leads, and from there until both servers have written. */
async function failOver(
  cluster: PatroniCluster,
  servers: readonly ServerProcess[],
  kind: Kill,
  { scene, kill }: { scene: Scene; kill: number },
) {
  const leader = await cluster.leader();
  if (leader === undefined) throw new Error('Nobody leads.');
  const begun = performance.now();
  await cluster.kill(leader, kind);
  for (let next = await cluster.leader(); next === undefined || next === leader; next = await cluster.leader()) {
    if (performance.now() - begun > 120_000) throw new Error(`No leader came after ${leader}.`);
    await sleep(50);
  }
  const promoted = performance.now();
  const writeAt = async (server: ServerProcess, index: number) => {
    const key = `after kill ${kill} at ${index}`;
    await callerOf([server], scene.load)('POST', `/v1/spaces/${scene.spaceId}/change-requests`, { subject: key }, key);
    return Math.round(performance.now() - promoted);
  };
  const answeredMs = await Promise.all(servers.map(writeAt));
  if (Math.max(...answeredMs) > WITHIN_MS)
    scene.load.faults.push(`After kill ${kill}, servers wrote after ${answeredMs} ms.`);
  return { kill, kind, promotedMs: Math.round(promoted - begun), answeredMs };
}

function report(table: object[], { load }: Scene, { deliveries }: Receiver): void {
  console.table(table);
  const { statuses, faults, imports } = load;
  const delivered = { webhooks: deliveries.size, twice: [...deliveries.values()].filter((count) => count > 1).length };
  console.log(
    JSON.stringify(
      { kills, acknowledged: load.summary(), imports, delivered, statuses, faults: faults.length },
      null,
      2,
    ),
  );
  if (faults.length === 0) return;
  console.error('Not as it must be.', faults);
  process.exitCode = 1;
}

const programs = SUPPORTED.map(findInstalledPostgres).find((directory) => directory !== undefined);
const missing = [...(programs === undefined ? ['postgresql'] : []), ...missingPackages()];
if (missing.length > 0)
  console.info(`Skipped: failover, which needs packages (Debian: apt install ${missing.join(' ')}).`);
else await run(programs ?? '');
