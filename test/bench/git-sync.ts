import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { appendFile, copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { connect } from '../../src/database.ts';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/start-embedded-postgres.ts';
import { startGitHttpServer } from '../faults/git-http-server.ts';
import { memoryApart } from '../faults/memory-of.ts';
import { fillPeople, TOKENS } from './fill/people.ts';
import { startService } from './processes.ts';
import { call, cloneOf } from './search/sets.ts';

/*
 * Imports Git repositories on a new service each, exports them again, and prints the time, the processor time and the
 * peak memory of the service with its helpers, PostgreSQL apart. Then it connects the space, pushes a sentence, and
 * prints the time from the webhook until the page has it. Repositories are served by `git http-backend`.
 *
 *   node test/bench/git-sync.ts BUNDLE...              each bundle as it is
 *   node test/bench/git-sync.ts --files 2000 BUNDLE    so many files, copies of those of the bundle in folders
 *   node test/bench/git-sync.ts --profile DIR BUNDLE   writes CPU profiles there, too
 */

const run = promisify(execFile);

/** The time between pushes, after which threads for long work have ended. */
const APART_MS = 5_000;

const AUTHOR = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com'];
const PUSHES = 3;

interface Caller {
  url: string;
  token: string;
}

const words = process.argv.slice(2);
const optionOf = (name: string): string | undefined => {
  const at = words.indexOf(`--${name}`);
  return at < 0 ? undefined : words.splice(at, 2)[1];
};
const [least, profile] = [Number(optionOf('files') ?? 0), optionOf('profile')];
if (words.length === 0) {
  console.error('Usage: node test/bench/git-sync.ts [--files N] [--profile DIR] BUNDLE...');
  process.exit(1);
}

const directory = await mkdtemp(join(tmpdir(), 'stemma-git-'));
const repositories = join(directory, 'repositories');
await mkdir(repositories);
const git = await startGitHttpServer(repositories);
try {
  for (const bundle of words) await measure(bundle);
} finally {
  git.close();
  await rm(directory, { recursive: true, force: true });
}

async function measure(bundle: string): Promise<void> {
  const name = basename(bundle).replace(/\.bundle$/, '');
  const files = await pushRepository(bundle, name);
  const dataDir = await openDataDir(join(directory, `data-${name}`));
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
  const service = await startService({
    databaseUrl: server.url,
    dataDir: join(directory, `service-${name}`),
    profile,
    environment: {
      WORKERS: '1',
      ALLOW_PRIVATE_NETWORK: '1',
      ...(profile !== undefined && { STALLS_DIR: profile }),
    },
  });
  const { db, close } = await connect(server.url, { poolSize: 1 });
  try {
    const [staff] = await fillPeople(db, 1);
    if (!staff) throw new Error('There is no organization.');
    const caller = { url: service.url, token: TOKENS.admin };
    const space = await call(caller, 'POST', `/v1/orgs/${staff.organizationId}/spaces`, { title: name, empty: true });
    for (const direction of ['import', 'export'] as const) {
      const before = await service.usage();
      const memory = watchMemory();
      const begun = performance.now();
      const changed = await synchronize(caller, space.id, direction, `${git.url}/${name}.git`);
      const seconds = (performance.now() - begun) / 1_000;
      const { cpuMs, longestDelayMs } = await service.usage();
      const { idle, most } = memory.stop();
      const cpu = (cpuMs - before.cpuMs) / 1_000;
      console.log(
        `${name}, ${files} files, ${direction}: ${seconds.toFixed(1)} s, processor ${cpu.toFixed(1)} s, memory ${idle} to ${most} MB, longest delay ${longestDelayMs.toFixed(0)} ms${changed}`,
      );
    }
    const connection = await connectSpace(caller, space.id, `${git.url}/${name}.git`);
    await sleep(APART_MS);
    const times: string[] = [];
    for (let push = 1; push <= PUSHES; push++) {
      const sentence = `Pushed ${push}`;
      const path = await pushSentence(name, sentence);
      const { targetId } = await db
        .selectFrom('git_file')
        .where('spaceId', '=', space.id)
        .where('path', '=', path)
        .select('targetId')
        .executeTakeFirstOrThrow();
      const begun = performance.now();
      await sendHook(caller.url, connection);
      await untilRead(caller, `/v1/spaces/${space.id}/content/page/${targetId}?format=markdown`, sentence);
      times.push(((performance.now() - begun) / 1_000).toFixed(1));
      await sleep(APART_MS);
    }
    console.log(`${name}, ${files} files, from webhook to visible page: ${times.join(', ')} s`);
  } finally {
    await close();
    await service.stop();
    await server.stop();
    dataDir.close();
  }
}

/** Pushes the newest commit of a bundle, copied until there are enough files, and returns their number. */
async function pushRepository(bundle: string, name: string): Promise<number> {
  const gitdir = await git.create(name);
  const clone = await cloneOf(bundle, directory);
  const count = least === 0 ? (await filesIn(clone)).length : await multiply(clone, least);
  const inClone = (...args: string[]) => run('git', ['-C', clone, ...args]);
  await inClone('add', '--all');
  await inClone(...AUTHOR, 'commit', '--quiet', '--allow-empty', '-m', 'All');
  await inClone('push', '--quiet', gitdir, 'HEAD:refs/heads/main');
  return count;
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.startsWith('.git/'));
}

/** Copies the files of a folder into folders in it, and removes what says where its pages are. */
async function multiply(folder: string, enough: number): Promise<number> {
  for (const path of await filesIn(folder))
    if (/(?:^|\/)(?:SUMMARY\.md|\.gitbook\.yaml)$/i.test(path)) await rm(join(folder, path));
  const own = await filesIn(folder);
  let count = own.length;
  for (let copy = 2; count < enough; copy++)
    for (const path of own.slice(0, enough - count)) {
      const target = join(folder, `copy-${copy}`, path);
      await mkdir(dirname(target), { recursive: true });
      await copyFile(join(folder, path), target);
      count++;
    }
  await writeFile(join(folder, 'README.md'), '# Copies\n');
  return count;
}

interface Run {
  id: string;
  status: string;
  filesChanged?: number;
}

interface Connection {
  id: string;
  hookSecret: string;
}

/** Connects a space to a repository that it was imported from. */
async function connectSpace(caller: Caller, spaceId: string, url: string): Promise<Connection> {
  const its = `/v1/spaces/${spaceId}/git`;
  const settings = { url, ref: 'refs/heads/main', initialSide: 'branch' };
  const connection = await call<Connection>(caller, 'POST', `${its}/connection`, settings);
  await call(caller, 'POST', `${its}/connection/start`, {});
  await runEnded(caller, its);
  return connection;
}

/** Pushes a sentence at the end of the README, and returns its path. */
async function pushSentence(name: string, sentence: string): Promise<string> {
  const clone = join(directory, name);
  const path = (await filesIn(clone)).find((each) => /^(?:docs\/)?readme\.md$/i.test(each));
  if (path === undefined) throw new Error(`${name} has no README.md.`);
  await appendFile(join(clone, path), `\n${sentence}.\n`);
  await run('git', ['-C', clone, ...AUTHOR, 'commit', '--quiet', '--all', '-m', sentence]);
  await run('git', ['-C', clone, 'push', '--quiet', join(repositories, `${name}.git`), 'HEAD:refs/heads/main']);
  return path;
}

/** Sends the webhook of a push as GitHub does. */
async function sendHook(url: string, { id, hookSecret }: Connection): Promise<void> {
  const body = JSON.stringify({ ref: 'refs/heads/main' });
  const signature = createHmac('sha256', hookSecret).update(body).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-github-event': 'push',
    'x-hub-signature-256': `sha256=${signature}`,
  };
  const response = await fetch(`${url}/v1/hooks/git/${id}`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`The webhook: ${response.status} ${await response.text()}`);
}

/** Waits until the Markdown of a page has a text. */
async function untilRead(caller: Caller, path: string, text: string): Promise<void> {
  const end = performance.now() + 60_000;
  while (!(await call<{ markdown: string }>(caller, 'GET', path)).markdown.includes(text)) {
    if (performance.now() > end) throw new Error(`"${text}" did not become visible in a minute.`);
    await sleep(50);
  }
}

/** Waits for an import or export to end, and returns what it changed. */
async function synchronize(
  caller: Caller,
  spaceId: string,
  direction: 'import' | 'export',
  url: string,
): Promise<string> {
  const message = direction === 'export' && { commitMessage: 'Update' };
  const path = `/v1/spaces/${spaceId}/git`;
  const response = await fetch(`${caller.url}${path}/${direction}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${caller.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, ref: 'refs/heads/main', ...message }),
  });
  if (!response.ok) throw new Error(`${direction}: ${response.status} ${await response.text()}`);
  const { filesChanged } = await runEnded(caller, path);
  return filesChanged === undefined ? '' : `, ${filesChanged} files changed`;
}

/** Waits until the newest run of a space is completed. */
async function runEnded(caller: Caller, path: string): Promise<Run> {
  for (;;) {
    const { items } = await call<{ items: Run[] }>(caller, 'GET', `${path}/runs`);
    const [newest] = items;
    if (newest?.status === 'completed') return newest;
    if (newest && newest.status !== 'pending' && newest.status !== 'in-progress')
      throw new Error(`The run ${newest.id}: ${newest.status}.`);
    await sleep(250);
  }
}

/** The memory of the service at first and at most, in megabytes. */
function watchMemory() {
  const now = () => Math.round(memoryApart('main.mjs').service / 1e6);
  const idle = now();
  let most = idle;
  const timer = setInterval(() => {
    most = Math.max(most, now());
  }, 50);
  return {
    stop() {
      clearInterval(timer);
      return { idle, most };
    },
  };
}
