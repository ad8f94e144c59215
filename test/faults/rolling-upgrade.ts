import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { markHandled } from '../../src/lib/mark-handled.ts';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/start-embedded-postgres.ts';
import { SECRET_KEY } from '../bench/database.ts';
import { type ServerProcess, startService } from '../bench/processes.ts';
import { must, read, type Seen, send, type Target, write } from './callers.ts';
import { buildLastRelease, lastVersion, NoReleaseError } from './last-release.ts';
import { freePorts, hasNginx, startNginx, UPSTREAMS } from './nginx.ts';
import { startWorker } from './worker-process.ts';

/*
 * A rolling update from the last release to these sources and back. Three servers and a worker of the last release run behind
 * Debian's nginx with deploy/three-servers/nginx.conf. Under load, `npm run migrate` updates the schema, and then each process is
 * replaced by one of these sources. Afterwards each is replaced by one of the last release again. No request may fail, and nothing
 * that was acknowledged may be lost.
 *
 *   node test/faults/rolling-upgrade.ts [FOLDER]
 *
 * FOLDER has a build of the last release. Without it, the release is built from the history of Git, with packages from the registry.
 */

const TOKEN = 'stemma_the_token_of_the_fault_tests';
const ROOT = join(import.meta.dirname, '../..');
/** How long each mixture of versions runs under load. */
const MIXED_MS = 1_000;
/** Pause of a caller after each request: the machine shall restart servers, not only answer. */
const PAUSE_MS = 100;
const QUERY = `query ($id: ID!) {
  space(id: $id) { title changeRequests(first: 5, status: ALL) { nodes { id subject createdBy { displayName } } } }
}`;

if (hasNginx()) await run(process.argv[2]);
else console.info('Skipped: the rolling update, because nginx is not installed here (Debian: apt install nginx).');

async function run(given: string | undefined): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'stemma-rolling-upgrade-'));
  const closers: (() => unknown)[] = [];
  try {
    const formerRoot = given === undefined ? join(directory, 'release') : resolve(given);
    if (given === undefined) buildInto(formerRoot);
    execFileSync(process.execPath, [join(ROOT, 'build.mjs')], { stdio: 'inherit' });
    report(await update(directory, { formerRoot, closers }));
  } catch (error) {
    if (!(error instanceof NoReleaseError)) throw error;
    console.info(`Skipped: the rolling update, because ${error.message}.`);
  } finally {
    for (const close of closers.toReversed()) await close();
    await rm(directory, { recursive: true, force: true });
  }
}

function buildInto(directory: string): void {
  execFileSync('mkdir', [directory]);
  console.info(`Building the last release, ${lastVersion()} …`);
  buildLastRelease(directory);
}

interface Surroundings {
  formerRoot: string;
  closers: (() => unknown)[];
}

async function update(directory: string, { formerRoot, closers }: Surroundings): Promise<Findings> {
  const dataDir = await openDataDir(join(directory, 'database'));
  closers.push(() => dataDir.close());
  const database = await startEmbeddedPostgres({ dataDir, log: () => {} });
  closers.push(() => database.stop());
  const [port = 0, ...ports] = await freePorts(1 + UPSTREAMS.length);
  const environment = {
    BOOTSTRAP_TOKEN: TOKEN,
    DATABASE_POOL: '8',
    NODE_COMPILE_CACHE: join(directory, 'compiled'),
    // On a busy machine, opening a connection can take seconds.
    DATABASE_POOL_TIMEOUT_MS: '10000',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    // As in production. More than `keepalive_timeout` in the configuration of nginx.
    SHUTDOWN_DELAY_MS: '5000',
    STORAGE_URL: `file://${join(directory, 'files')}`,
    TRUST_PROXY: '1',
  };
  const beside = { ...environment, LOG_LEVEL: 'info', DATABASE_URL: database.url, SECRET_KEY };
  const startServer = (root: string, index: number) =>
    startService({
      databaseUrl: database.url,
      dataDir: join(directory, `server-${index}`),
      environment: { ...environment, PORT: String(ports[index]) },
      bundle: join(root, 'dist/main.mjs'),
    });
  const startWorkerOf = (root: string) =>
    startWorker(join(root, 'dist/worker.mjs'), { ...beside, DATA_DIR: join(directory, 'worker') });

  const servers: ServerProcess[] = [];
  closers.push(() => Promise.all(servers.map((server) => server.stop())));
  for (const index of ports.keys()) servers.push(await startServer(formerRoot, index));
  let worker = await startWorkerOf(formerRoot);
  closers.push(() => worker.stop());
  // Clients open a connection for each request: nginx closes idle ones when it is reloaded.
  const proxy = await startNginx(directory, { port, ports, ofClients: 'keepalive_timeout 0;' });
  closers.push(() => proxy.stop());

  const url = `http://127.0.0.1:${port}`;
  const load = await startLoad(url);
  const replaceAll = async (root: string) => {
    const begun = performance.now();
    for (const [index, server] of servers.entries()) {
      await proxy.reload(index);
      await server.stop();
      servers[index] = await startServer(root, index);
      await proxy.reload();
      await sleep(MIXED_MS);
    }
    await worker.stop();
    worker = await startWorkerOf(root);
    return { seconds: secondsSince(begun) };
  };
  await sleep(MIXED_MS);
  const migrated = await migrate({ ...beside, DATA_DIR: join(directory, 'migration') });
  await sleep(MIXED_MS);
  const forward = await replaceAll(ROOT);
  const back = await replaceAll(formerRoot);
  return {
    formerVersion: lastVersion(),
    migrated,
    forward,
    back,
    ...(await load.end()),
    proxyErrors: proxyErrors(directory),
  };
}

/** What nginx says of requests that it could not pass on, without those that the next server got. */
function proxyErrors(directory: string): string[] {
  const lines = readFileSync(join(directory, 'nginx.log'), 'utf8').split('\n');
  return lines.filter((line) => line.includes('[error]') && !line.includes('Connection refused')).slice(0, 20);
}

function secondsSince(begun: number): number {
  return Math.round((performance.now() - begun) / 100) / 10;
}

/** Runs `npm run migrate` of these sources while the callers go on, and returns what it applied. */
async function migrate(environment: Record<string, string>): Promise<Findings['migrated']> {
  const begun = performance.now();
  const child = spawn(process.execPath, [join(ROOT, 'dist/migrate.mjs')], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (status !== 0) throw new Error(`The migration failed: ${output}`);
  const logged = output.split('\n').filter((line) => line.startsWith('{'));
  const applied = logged.map((line) => JSON.parse(line)).filter(({ migration }) => migration !== undefined);
  const migrations = Object.fromEntries(applied.map(({ migration, milliseconds }) => [migration, milliseconds]));
  return { seconds: secondsSince(begun), migrations };
}

interface Created {
  id: string;
}

/** Four callers that create change requests, two that add pages, and six that read over both transports. */
async function startLoad(url: string) {
  const caller = { url, token: TOKEN };
  const { items } = await must<{ items: Created[] }>(caller, '/v1/orgs');
  const makeSpace = (title: string) => must<Created>(caller, `/v1/orgs/${items[0]?.id}/spaces`, { title });
  const [space, ...edited] = await Promise.all(['Rolling', 'Edited', 'Edited too'].map(makeSpace));
  const spaceId = space?.id ?? '';
  const ended = new AbortController();
  const seen: Seen = { statuses: {}, acknowledged: new Set(), longestMs: 0 };
  const pages = new Set<string>();
  const target: Target = { ...caller, spaceId, signal: ended.signal, pauseMs: PAUSE_MS };
  const begun = performance.now();
  // A fault of a caller ends the run when the load ends.
  const callers = Promise.all([
    ...Array.from({ length: 4 }, (_, index) => write(target, `writer ${index}`, seen)),
    ...edited.map(({ id }) => addPages({ ...target, spaceId: id }, pages, seen)),
    ...Array.from({ length: 3 }, () => read(target, seen)),
    ...Array.from({ length: 3 }, () => readGraph(target, seen)),
  ]);
  markHandled(callers);
  return {
    async end() {
      ended.abort();
      await callers;
      const seconds = secondsSince(begun);
      const lost = [
        ...(await missing(target, seen.acknowledged)),
        ...(await Promise.all(edited.map(({ id }) => titlesOf(caller, id)))).reduce(
          (rest, titles) => rest.filter((title) => !titles.has(title)),
          [...pages],
        ),
      ];
      const requests = Object.values(seen.statuses).reduce((sum, count) => sum + count, 0);
      const { statuses, longestMs } = seen;
      const acknowledged = seen.acknowledged.size + pages.size;
      return { seconds, requests, statuses, acknowledged, lost, longestWriteMs: Math.round(longestMs) };
    },
  };
}

/** Adds pages, five a second. Sent once each: without an idempotency key, a client may not repeat them. */
async function addPages(target: Target, pages: Set<string>, seen: Seen): Promise<void> {
  for (let number = 1; !target.signal.aborted; number++) {
    const title = `Page ${number} of ${target.spaceId}`;
    const page = { operation: 'insert_page', type: 'document', title, document: { markdown: `Text ${number}.` } };
    const init = { method: 'POST', body: { changes: [page] } };
    const response = await send(target, `/v1/spaces/${target.spaceId}/content`, init, seen);
    if (response?.ok) pages.add(title);
    await sleep(200);
  }
}

/** Reads over GraphQL. An answer with errors counts as a failed request. */
async function readGraph(target: Target, seen: Seen): Promise<void> {
  while (!target.signal.aborted) {
    const body = { query: QUERY, variables: { id: target.spaceId } };
    const response = await send(target, '/graphql', { method: 'POST', body }, seen);
    const text = (await response?.text()) ?? '';
    if (response?.ok && text.includes('"errors"')) seen.statuses[text.slice(0, 200)] = 1;
    await sleep(PAUSE_MS);
  }
}

/** The acknowledged change requests that do not exist, by subject. */
async function missing({ url, token, spaceId }: Target, acknowledged: Set<string>): Promise<string[]> {
  const found = new Set<string>();
  for (let page: string | undefined = ''; page !== undefined; ) {
    const path = `/v1/spaces/${spaceId}/change-requests?limit=1000&status=all${page}`;
    const list: ListBody = await must<ListBody>({ url, token }, path);
    for (const { subject } of list.items) found.add(subject);
    page = list.next && `&page=${encodeURIComponent(list.next.page)}`;
  }
  return [...acknowledged].filter((subject) => !found.has(subject));
}

interface ListBody {
  items: { subject: string }[];
  next?: { page: string };
}

async function titlesOf(caller: Pick<Target, 'url' | 'token'>, spaceId: string): Promise<Set<string>> {
  const { pages } = await must<{ pages: { title: string }[] }>(caller, `/v1/spaces/${spaceId}/content/pages`);
  return new Set(pages.map(({ title }) => title));
}

interface Findings {
  formerVersion: string;
  migrated: { seconds: number; migrations: Record<string, number> };
  forward: { seconds: number };
  back: { seconds: number };
  seconds: number;
  requests: number;
  statuses: Record<string, number>;
  acknowledged: number;
  lost: string[];
  longestWriteMs: number;
  proxyErrors: string[];
}

function report(findings: Findings): void {
  console.log(JSON.stringify(findings, null, 2));
  const isGood = Object.keys(findings.statuses).every((status) => status === '200' || status === '201');
  if (isGood && findings.lost.length === 0) return;
  console.error('Not as it must be.');
  process.exitCode = 1;
}
