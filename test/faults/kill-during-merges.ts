import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clusterFiles } from '../../src/platform/database/embedded/cluster.ts';
import { readPostmaster } from '../../src/platform/database/embedded/postmaster.ts';
import { programWords } from '../command.ts';
import { send } from './callers.ts';
import { addressOf, type Faults, faultsIn } from './merging-space.ts';

/*
 * The server is killed at random moments while change requests are edited and merged, again and again: alone, and together
 * with its database. After each start, in one snapshot: every change request is merged wholly or not at all, the head's
 * projection is the head's tree, and every acknowledged merge is there once.
 *
 *   node test/faults/kill-during-merges.ts [kills of each kind]
 */

const TOKEN = 'stemma_the_token_of_the_fault_tests';
const WRITERS = 4;
const kills = Number(process.argv[2] ?? 50);

const dataDir = await mkdtemp(join(tmpdir(), 'stemma-kills-'));
const acknowledged: string[] = [];
const faults: Faults = { halfMerged: [], misplaced: [], lost: [] };
let server: { process: ChildProcess; url: string } | undefined;
let isOver = false;
let broken = 0;

try {
  await start();
  const { spaceId, pageIds } = await prepare();
  const writers = pageIds.map((pageId, index) => write(spaceId, pageId, `writer ${index}`));
  for (const withDatabase of [false, true]) {
    for (let kill = 1; kill <= kills; kill++) {
      await underWay();
      await sleep(Math.random() * 400);
      await killServer(withDatabase);
      await start();
      await check(spaceId);
      if (kill % 10 === 0) console.error(`${kill} kills ${withDatabase ? 'with' : 'without'} the database`);
    }
  }
  isOver = true;
  await Promise.all(writers);
  await check(spaceId);
  report();
} finally {
  server?.process.kill('SIGTERM');
  if (server) await once(server.process, 'exit');
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

/** Starts the service on what the last one left; parts of a killed database may need a moment to end. */
async function start(): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const child = spawn(process.execPath, programWords('main'), {
      cwd: tmpdir(),
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PORT: '0',
        DATA_DIR: dataDir,
        BOOTSTRAP_TOKEN: TOKEN,
        DEMO: '0',
        WORKERS: '0',
        LOG_LEVEL: 'fatal',
        RATE_LIMIT: '10000000',
      } as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await Promise.race([addressIn(child), once(child, 'exit').then(() => undefined)]);
    if (url !== undefined) {
      server = { process: child, url };
      return;
    }
    if (attempt === 20) throw new Error('The service no longer starts.');
    await sleep(500);
  }
}

function addressIn(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let printed = '';
    child.stdout?.on('data', (chunk) => {
      printed += chunk;
      const address = /listens on (http:\S+)/.exec(printed)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
}

async function killServer(withDatabase: boolean): Promise<void> {
  const child = server?.process;
  server = undefined;
  const database = withDatabase ? (await readPostmaster(clusterFiles({ path: dataDir })))?.pid : undefined;
  if (database !== undefined) process.kill(database, 'SIGKILL');
  child?.kill('SIGKILL');
  if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Sends until it is done: after a kill the same request again, under its key, to the server that came after. */
async function done(path: string, body: unknown, key: string): Promise<Record<string, string>> {
  for (;;) {
    const url = server?.url;
    const init = { method: 'POST', body, headers: { 'idempotency-key': key } };
    const response = url === undefined ? undefined : await send({ url, token: TOKEN }, path, init);
    const answer = await response?.json().catch(() => undefined);
    if (response?.ok && answer !== undefined) return answer;
    if (response && response.status !== 503) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
    if (url !== undefined) broken++;
    await sleep(20);
  }
}

/** One space with a page for each writer. */
async function prepare(): Promise<{ spaceId: string; pageIds: string[] }> {
  const url = server?.url ?? '';
  const read = async (path: string) => (await send({ url, token: TOKEN }, path))?.json();
  const organizationId = (await read('/v1/orgs')).items[0].id;
  const { id: spaceId = '' } = await done(
    `/v1/orgs/${organizationId}/spaces`,
    { title: 'Killed', empty: true },
    'space',
  );
  const changes = Array.from({ length: WRITERS }, (_, index) => ({
    operation: 'insert_page',
    title: `Page ${index}`,
    document: { markdown: 'It begins.' },
  }));
  await done(`/v1/spaces/${spaceId}/content`, { changes }, 'pages');
  const { pages } = await read(`/v1/spaces/${spaceId}/content/pages`);
  return { spaceId, pageIds: pages.map(({ id }: { id: string }) => id) };
}

/** Makes change requests and merges them, one after the other; each says one sentence more on the writer's page. */
async function write(spaceId: string, page: string, name: string): Promise<void> {
  const paragraphs = ['It begins.'];
  for (let number = 1; !isOver; number++) {
    const sentence = `Said ${number} by ${name}.`;
    paragraphs.push(sentence);
    const changes = [
      {
        operation: 'update_page',
        page,
        title: `${number} of ${name}`,
        document: { markdown: paragraphs.join('\n\n') },
      },
    ];
    const all = `/v1/spaces/${spaceId}/change-requests`;
    const { id } = await done(all, { subject: sentence }, `${name} ${number}`);
    await done(`${all}/${id}/content`, { changes }, `${name} ${number}`);
    const { result } = await done(`${all}/${id}/merge`, undefined, `${name} ${number}`);
    if (result !== 'merge') throw new Error(`Merging ${id} came to ${result}.`);
    acknowledged.push(sentence);
  }
}

/** Waits until a merge went through since the last start. */
async function underWay(): Promise<void> {
  const before = acknowledged.length;
  for (let waited = 0; acknowledged.length === before && waited < 600; waited++) await sleep(50);
  if (acknowledged.length === before) throw new Error('Nothing is merged.');
}

async function check(spaceId: string): Promise<void> {
  const found = await faultsIn(await addressOf(dataDir), spaceId, [...acknowledged]);
  faults.halfMerged.push(...found.halfMerged);
  faults.misplaced.push(...found.misplaced);
  faults.lost.push(...found.lost);
}

function report(): void {
  const counts = { halfMerged: faults.halfMerged.length, misplaced: faults.misplaced.length, lost: faults.lost.length };
  const findings = { kills, killsWithDatabase: kills, acknowledged: acknowledged.length, brokenOff: broken, ...counts };
  console.log(JSON.stringify(findings, null, 2));
  if (Object.values(counts).every((count) => count === 0)) return;
  console.error('Not as it must be.', faults);
  process.exitCode = 1;
}
