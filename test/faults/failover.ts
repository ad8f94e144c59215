import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SECRET_KEY } from '../bench/database.ts';
import { type ServerProcess, startService } from '../bench/processes.ts';
import { findInstalledPostgres, SUPPORTED } from '../installed-postgres.ts';
import { startS3 } from '../platform/s3-service.ts';
import { send } from './callers.ts';
import { startGitHttpServer } from './git-http-server.ts';
import { faultsIn } from './merging-space.ts';
import { type Kill, missingPackages, type PatroniCluster, startPatroni } from './patroni-cluster.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';

/*
 * Two servers and a worker on three nodes of PostgreSQL with Patroni, etcd and HAProxy, with synchronous replication. The leader is
 * killed again and again, by turns alone and with its node, while callers merge, comment, import, ingest and synchronize with Git.
 * Each request is sent again with its idempotency key until it is acknowledged. In the end, everything acknowledged is there once,
 * no process has ended, and both servers wrote again within ten seconds of each promotion.
 *
 *   node test/faults/failover.ts [kills]
 */

const TOKEN = 'stemma_the_token_of_the_fault_tests';
const WITHIN_MS = 10_000;
/** A lease has to expire, and a standby has to be copied anew at the worst. */
const GIVE_UP_AFTER_MS = 180_000;
/** Four attempts. After each, its heartbeats have to be missing for 20 seconds, and the next one waits longer. */
const RUN_ENDS_WITHIN_MS = 420_000;
const kills = Number(process.argv[2] ?? 20);

/** What callers did, and what they found wrong. */
const statuses: Record<string, number> = {};
const faults: string[] = [];
const done = {
  merges: [] as string[],
  comments: [] as string[],
  conversations: 0,
  imports: 0,
  exports: [] as string[],
};
let isOver = false;

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
    await test(
      { cluster, servers, worker },
      { gitdir: await git.create('docs'), gitUrl: `${git.url}/docs.git`, siteUrl: site.url },
    );
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
async function startSite() {
  const server = createServer(({ url = '/' }, response) => {
    const page = SITE[url];
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Outside {
  gitdir: string;
  gitUrl: string;
  siteUrl: string;
}

interface Body {
  id: string;
  status: string;
  result: string;
  items: Body[];
  pages: (Body & { title: string })[];
  next: { page: string } | undefined;
  error: { message: string };
}

async function test({ cluster, servers, worker }: Installation, outside: Outside): Promise<void> {
  const call = callerOf(servers);
  const { items } = await call('GET', '/v1/orgs');
  const organizationId = items[0]?.id ?? '';
  const spaces = `/v1/orgs/${organizationId}/spaces`;
  const { id: spaceId } = await call('POST', spaces, { title: 'Merged', empty: true }, 'merged');
  const { id: gitSpaceId } = await call('POST', spaces, { title: 'In Git', empty: true }, 'in git');
  const pages = ['first', 'second'].map((name) => ({
    operation: 'insert_page',
    title: name,
    document: { markdown: 'It begins.' },
  }));
  await call('POST', `/v1/spaces/${spaceId}/content`, { changes: pages }, 'pages');
  const tree = await call('GET', `/v1/spaces/${spaceId}/content/pages`);

  const scene = { call, organizationId, spaceId, gitSpaceId, ...outside };
  const callers = [
    ...tree.pages.map(({ id }, index) => merge(scene, id, `writer ${index}`)),
    comment(scene, tree.pages[0]?.id ?? ''),
    ingest(scene),
    importSites(scene),
    exportToGit(scene),
  ].map((caller) => caller.catch((error) => faults.push(String(error))));

  const table: object[] = [];
  for (let kill = 1; kill <= kills; kill++) {
    await cluster.complete();
    await sleep(500 + Math.random() * 1_500);
    table.push(await failOver(cluster, servers, kill % 2 === 0 ? 'node' : 'server', { spaceId, kill }));
    console.error(JSON.stringify(table.at(-1)));
  }
  await cluster.complete();
  isOver = true;
  await Promise.all(callers);
  await check(scene, cluster.url);
  for (const [index, server] of servers.entries()) if (!server.isRunning()) faults.push(`Server ${index} has ended.`);
  if (!worker.isRunning()) faults.push('The worker has ended.');
  // What was never done could not fail.
  if ([done.merges.length, done.comments.length, done.conversations, done.imports, done.exports.length].includes(0))
    faults.push('A caller has done nothing.');
  report(table);
}

/** Kills the leader, and measures the time until another one leads, and from there until both servers have written. */
async function failOver(
  cluster: PatroniCluster,
  servers: readonly ServerProcess[],
  kind: Kill,
  { spaceId, kill }: { spaceId: string; kill: number },
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
    await callerOf([server])('POST', `/v1/spaces/${spaceId}/change-requests`, { subject: key }, key);
    return Math.round(performance.now() - promoted);
  };
  const answeredMs = await Promise.all(servers.map(writeAt));
  if (Math.max(...answeredMs) > WITHIN_MS) faults.push(`After kill ${kill}, servers wrote after ${answeredMs} ms.`);
  return { kill, kind, promotedMs: Math.round(promoted - begun), answeredMs };
}

type Call = (method: string, path: string, body?: unknown, key?: string) => Promise<Body>;

/** Sends requests to servers by turns, each until it is acknowledged, with the same key. */
function callerOf(servers: readonly ServerProcess[]): Call {
  let turns = 0;
  return async (method, path, body, key) => {
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
    for (const begun = performance.now(); ; ) {
      const server = servers[turns++ % servers.length];
      if (server?.isRunning() === false) throw new Error(`${server.url} has ended.`);
      if (performance.now() - begun > GIVE_UP_AFTER_MS)
        throw new Error(`${method} ${path} was not acknowledged in time.`);
      const url = server?.url ?? '';
      const response = await send({ url, token: TOKEN }, path, { method, body, headers });
      const text = await response?.text().catch(() => undefined);
      const status = text === undefined ? 'broken' : String(response?.status);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (response?.ok && text !== undefined) return text === '' ? {} : JSON.parse(text);
      const isRunning = status === '409' && text?.includes('same idempotency key is running');
      if (status !== 'broken' && status !== '503' && !isRunning)
        throw new Error(`${method} ${path}: ${status} ${text}`);
      await sleep(100);
    }
  };
}

interface Scene extends Outside {
  call: Call;
  organizationId: string;
  spaceId: string;
  gitSpaceId: string;
}

/** Makes change requests and merges them. Each adds a sentence to the writer's page. */
async function merge({ call, spaceId }: Scene, page: string, name: string): Promise<void> {
  const paragraphs = ['It begins.'];
  for (let number = 1; !isOver; number++) {
    const sentence = `Said ${number} by ${name}.`;
    const key = `${name} ${number}`;
    paragraphs.push(sentence);
    const changes = [{ operation: 'update_page', page, document: { markdown: paragraphs.join('\n\n') } }];
    const all = `/v1/spaces/${spaceId}/change-requests`;
    const { id } = await call('POST', all, { subject: sentence }, key);
    await call('POST', `${all}/${id}/content`, { changes }, key);
    const { result } = await call('POST', `${all}/${id}/merge`, undefined, key);
    if (result !== 'merge') throw new Error(`Merging ${id} came to ${result}.`);
    done.merges.push(sentence);
  }
}

async function comment({ call, spaceId }: Scene, page: string): Promise<void> {
  for (let number = 1; !isOver; number++) {
    const text = `Comment ${number}.`;
    await call('POST', `/v1/spaces/${spaceId}/comments`, { page, body: { markdown: text } }, text);
    done.comments.push(text);
    await sleep(100);
  }
}

async function ingest({ call, organizationId }: Scene): Promise<void> {
  for (let number = 1; !isOver; number++) {
    const parts = [{ type: 'message', role: 'user', body: `How do I ask question ${number}?` }];
    await call(
      'POST',
      `/v1/orgs/${organizationId}/conversations`,
      { id: `c${number}`, parts },
      `conversation ${number}`,
    );
    done.conversations = number;
    await sleep(200);
  }
}

/** Imports the website into new spaces, one after the other. A run that a failover has ended must have written nothing. */
async function importSites({ call, organizationId, siteUrl }: Scene): Promise<void> {
  for (let number = 1; !isOver; number++) {
    const key = `import ${number}`;
    const { id: space } = await call('POST', `/v1/orgs/${organizationId}/spaces`, { title: key, empty: true }, key);
    const input = { source: { type: 'website', url: siteUrl }, target: { space } };
    const run = await call('POST', `/v1/org/${organizationId}/imports`, input, key);
    const status = await endOf(call, `/v1/org/${organizationId}/imports/${run.id}`);
    const { pages } = await call('GET', `/v1/spaces/${space}/content/pages`);
    const titles = pages.map(({ title }) => title).join();
    if (titles !== (status === 'completed' ? 'Home,A page' : ''))
      faults.push(`Import ${number} is ${status}: ${titles}`);
    if (status === 'completed') done.imports++;
  }
}

async function exportToGit({ call, gitSpaceId, gitUrl }: Scene): Promise<void> {
  for (let number = 1; !isOver; number++) {
    const title = `Exported ${number}`;
    const changes = [{ operation: 'insert_page', title, document: { markdown: `Text of ${title}.` } }];
    await call('POST', `/v1/spaces/${gitSpaceId}/content`, { changes }, title);
    await call('POST', `/v1/spaces/${gitSpaceId}/git/export`, exportOf(gitUrl), title);
    done.exports.push(title);
    const runs = `/v1/spaces/${gitSpaceId}/git/runs`;
    const { items } = await call('GET', runs);
    await endOf(call, `${runs}/${items[0]?.id}`);
  }
}

/** The status of a run at its end. The job of a run is interrupted by each failover and then waits for its next attempt. */
async function endOf(call: Call, path: string): Promise<string> {
  for (const until = Date.now() + RUN_ENDS_WITHIN_MS; ; await sleep(200)) {
    const { status } = await call('GET', path);
    if (status !== 'pending' && status !== 'in-progress') return status;
    if (Date.now() > until) throw new Error(`${path} is ${status} after ${RUN_ENDS_WITHIN_MS / 1_000} seconds.`);
  }
}

const exportOf = (url: string) => ({ url, ref: 'refs/heads/main', commitMessage: 'Update the docs' });

/** Compares what was acknowledged with what is there. */
async function check(scene: Scene, url: string): Promise<void> {
  const found = await faultsIn(url, scene.spaceId, done.merges);
  for (const [kind, cases] of Object.entries(found)) for (const each of cases) faults.push(`${kind}: ${each}`);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await checkRows(client, scene);
    await checkBranch(client, scene);
  } finally {
    await client.end();
  }
}

const countOf = async (client: pg.Client, sql: string, id: string) =>
  Number((await client.query<{ count: string }>(sql, [id])).rows[0]?.count);

async function checkRows(client: pg.Client, { organizationId, spaceId }: Scene): Promise<void> {
  const { rows } = await client.query<{ markdown: string }>('select markdown from comment where space_id = $1', [
    spaceId,
  ]);
  for (const text of done.comments) {
    const count = rows.filter(({ markdown }) => markdown === text).length;
    if (count !== 1) faults.push(`"${text}" is there ${count} times.`);
  }
  const all = 'select count(*) from conversation where organization_id = $1';
  const conversations = await countOf(client, all, organizationId);
  if (conversations !== done.conversations) faults.push(`${conversations} of ${done.conversations} conversations.`);
  const twice = 'select subject from change_request where space_id = $1 group by subject having count(*) > 1';
  const doubled = await countOf(client, `select count(*) from (${twice}) twice`, spaceId);
  if (doubled > 0) faults.push(`${doubled} change requests are there twice.`);
}

/** Exports once more, and looks at the branch. */
async function checkBranch(client: pg.Client, { call, gitSpaceId, gitdir, gitUrl }: Scene): Promise<void> {
  await call('POST', `/v1/spaces/${gitSpaceId}/git/export`, exportOf(gitUrl), 'last export');
  const running = `select count(*) from git_run where space_id = $1 and status in ('pending', 'in-progress')`;
  for (const until = Date.now() + 120_000; (await countOf(client, running, gitSpaceId)) > 0; await sleep(200)) {
    if (Date.now() > until) throw new Error('A synchronization does not end.');
  }
  const search = ['--git-dir', gitdir, 'grep', '-h', 'Text of', 'main', '--', '*.md'];
  const { stdout: branch } = spawnSync('git', search, { encoding: 'utf8' });
  for (const title of done.exports) {
    const count = branch.split(`Text of ${title}.`).length - 1;
    if (count !== 1) faults.push(`"${title}" is ${count} times in the branch.`);
  }
}

function report(table: object[]): void {
  console.table(table);
  const { merges, comments, conversations, imports, exports } = done;
  const acknowledged = {
    merges: merges.length,
    comments: comments.length,
    conversations,
    imports,
    exports: exports.length,
  };
  console.log(JSON.stringify({ kills, acknowledged, statuses, faults: faults.length }, null, 2));
  if (faults.length === 0) return;
  console.error('Not as it must be.', faults);
  process.exitCode = 1;
}

const programs = SUPPORTED.map(findInstalledPostgres).find((directory) => directory !== undefined);
const missing = [...(programs === undefined ? ['postgresql'] : []), ...missingPackages()];
if (missing.length > 0)
  console.info(`Skipped: failover, which needs packages (Debian: apt install ${missing.join(' ')}).`);
else await run(programs ?? '');
