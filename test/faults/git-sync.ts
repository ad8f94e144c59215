import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/start-embedded-postgres.ts';
import { programWords } from '../command.ts';
import { send } from './callers.ts';
import { BranchAuthor } from './git-branch-author.ts';
import { type Cut, protectBranches, startGitHttpServer } from './git-http-server.ts';
import { type Call, SpaceAuthor } from './git-space-author.ts';
import { Random } from './random.ts';
import { Sentences, sentencesIn } from './sentences.ts';

/*
 * A space and a branch on a real Git server are edited at the same time, again and again, and synchronized by two processes.
 * One of them is killed, connections are cut in the middle of a fetch and of a push, pushes race, the branch is protected or
 * rewritten. After each round: every sentence that anybody wrote is in the space or in the branch, both have the same unless
 * conflicts are open, and no commit is without a change.
 *
 *   node test/faults/git-sync.ts [rounds] [seed]
 *
 * Requires `git` with `git http-backend`.
 */

const TOKEN = 'stemma_the_token_of_the_fault_tests';
const rounds = Number(process.argv[2] ?? 20);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
const random = new Random(seed);
/**
 * Which process a request goes to depends on how many there were before, so it does not share the numbers of the
 * rounds.
 */
const routing = new Random(seed + 1);
const sentences = new Sentences();

/** The longest that synchronizations of a round may take. */
const LONGEST_MS = 120_000;

const KINDS = [
  'plain',
  'plain',
  'kill',
  'kill',
  'kill',
  'fetch',
  'push',
  'answer',
  'race',
  'race',
  'protected',
  'rewrite',
] as const;
type Kind = (typeof KINDS)[number];

const FILES = {
  'README.md': '# Home\n\nSentence 0 of Ann.\n\n* one\n+ two\n',
  'SUMMARY.md':
    '# Table of contents\n\n* [Home](README.md)\n* [Guide](guide/README.md)\n  * [Set up](guide/setup.md)\n* [More](more.md)\n',
  'guide/README.md': 'Guide\n=====\n\nText of the __guide__\nthat is wrapped.\n',
  'guide/setup.md': '# Set up\r\n\r\nRun it.\r\n',
  'more.md': '---\n# kept\ndescription: More\n---\n\n# More\n\n| a | b |\n| - | :-: |\n| 1 | 2 |\n',
};

const folder = await mkdtemp(join(tmpdir(), 'stemma-git-faults-'));
await mkdir(join(folder, 'served'));
const dataDir = await openDataDir(join(folder, 'database'));
const database = await startEmbeddedPostgres({ dataDir, log: () => {} });
const git = await startGitHttpServer(join(folder, 'served'));
const db = new pg.Client({ connectionString: database.url });
const table: Record<string, { rounds: number; conflicts: number; faults: number }> = {};
const faults: string[] = [];
let kills = 0;
let settledConflicts = 0;
/** The conflicts that were settled last, and how. */
let chosen = '';
const services: { process: ChildProcess; url: string }[] = [];

try {
  await db.connect();
  services.push(await startProcess());
  services.push(await startProcess());
  await test();
} finally {
  for (const { process: child } of services) child.kill('SIGTERM');
  await Promise.all(services.map(({ process: child }) => (child.exitCode === null ? once(child, 'exit') : undefined)));
  await db.end();
  git.close();
  await database.stop();
  dataDir.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

async function test(): Promise<void> {
  const gitdir = await git.create('docs');
  const ann = new BranchAuthor(join(folder, 'clone'), new Random(seed + 2), sentences);
  await ann.clone(gitdir);
  await ann.begin(FILES);
  const { body: organizations } = await call('GET', '/v1/orgs');
  const { body: space } = await call('POST', `/v1/orgs/${organizations.items[0].id}/spaces`, {
    title: 'Docs',
    empty: true,
  });
  const url = `${git.url}/docs.git`;
  await settle(space.id, 'import', url);
  const ben = new SpaceAuthor(call, space.id, new Random(seed + 3), sentences);
  for (let round = 1; round <= rounds; round++) {
    const kind = random.pick(KINDS) ?? 'plain';
    const before = faults.length;
    const began = performance.now();
    try {
      await misuse(kind, { gitdir, spaceId: space.id, url, ann, ben });
      const conflicts = await check(`round ${round} (${kind})`, { spaceId: space.id, url, ann });
      count(kind, conflicts, faults.length - before);
    } catch (error) {
      faults.push(`round ${round} (${kind}): ${error instanceof Error ? error.stack : error}`);
      count(kind, 0, 1);
    }
    for (const fault of faults.slice(before)) console.error(fault);
    if (round % 10 === 0 || faults.length > before) {
      console.error(
        `${round} rounds, ${kills} kills, ${faults.length} faults, ${Math.round(performance.now() - began)} ms`,
      );
    }
  }
  const shown = { rounds, seed, sentences: sentences.count, commits: await ann.commits(), kills, cuts: git.cuts };
  console.log(JSON.stringify({ ...shown, settledConflicts, faults: faults.length, byKind: table }, null, 2));
  if (faults.length > 0) process.exitCode = 1;
}

function count(kind: Kind, conflicts: number, found: number): void {
  const row = table[kind] ?? { rounds: 0, conflicts: 0, faults: 0 };
  table[kind] = { rounds: row.rounds + 1, conflicts: row.conflicts + conflicts, faults: row.faults + found };
}

interface Scene {
  gitdir: string;
  spaceId: string;
  url: string;
  ann: BranchAuthor;
  ben: SpaceAuthor;
}

/** Both sides edit, and synchronizations run while something goes wrong. */
async function misuse(kind: Kind, { gitdir, spaceId, url, ann, ben }: Scene): Promise<void> {
  await Promise.all([edits(ben), ann.edit(1 + random.below(3), kind === 'rewrite')]);
  if (kind === 'protected') await protectBranches(gitdir, true);
  if (kind === 'fetch' || kind === 'push' || kind === 'answer') git.cut(kind satisfies Cut);
  const directions = random.chance(0.5) ? (['import', 'export'] as const) : (['export', 'import'] as const);
  for (const direction of directions) await start(spaceId, direction, url);
  if (kind === 'kill') await killOne(random.below(2_500));
  if (kind === 'race') await Promise.all([sleep(random.below(1_000)).then(() => ann.edit(1)), edits(ben)]);
  await ended(spaceId);
  if (kind === 'protected') await protectBranches(gitdir, false);
  git.cut(undefined);
}

async function edits(ben: SpaceAuthor): Promise<void> {
  for (let count = random.below(4); count >= 0; count--) await ben.edit();
}

/**
 * Synchronizes without faults and compares both sides. Settles half of the conflicts. Answers whether there were some.
 */
async function check(at: string, { spaceId, url, ann }: Omit<Scene, 'gitdir' | 'ben'>): Promise<number> {
  await converge(at, spaceId, url);
  let conflict = await openConflict(spaceId);
  const had = conflict === undefined ? 0 : 1;
  const lost = sentences.missingIn([await textOf(spaceId), ...(await ann.files()).values()]);
  if (lost.length > 0) faults.push(await runsOf(spaceId));
  for (const sentence of lost) {
    faults.push(`${at}: lost "${sentence}" (${sentences.how(sentence)})`);
    sentences.delete(sentence);
  }
  if (conflict !== undefined && random.chance(0.5)) {
    await resolve(conflict, spaceId, ann);
    await converge(at, spaceId, url);
    conflict = await openConflict(spaceId);
    const missing = sentences.missingIn([await textOf(spaceId), ...(await ann.files()).values()]);
    if (missing.length > 0) faults.push(`${at}: ${chosen}`);
    for (const sentence of missing) {
      faults.push(`${at}: lost "${sentence}" (${sentences.how(sentence)}) after the conflicts were settled`);
      sentences.delete(sentence);
    }
  }
  if (conflict === undefined) await compare(at, spaceId, ann);
  for (const oid of await ann.emptyCommits()) faults.push(`${at}: commit ${oid} changes nothing`);
  return had;
}

/** Exports and imports until an export changes nothing. */
async function converge(at: string, spaceId: string, url: string): Promise<void> {
  const first = await settle(spaceId, 'export', url);
  if (first.status !== 'completed') faults.push(`${at}: the export is ${first.status}: ${first.reason}`);
  const second = await settle(spaceId, 'import', url);
  if (second.status !== 'completed') faults.push(`${at}: the import is ${second.status}: ${second.reason}`);
  const third = await settle(spaceId, 'export', url);
  if (third.status !== 'completed' || third.filesChanged !== 0) {
    faults.push(
      `${at}: after an export and an import, an export is ${third.status} and changes ${third.filesChanged} files`,
    );
  }
}

async function compare(at: string, spaceId: string, ann: BranchAuthor): Promise<void> {
  const files = await ann.files();
  const pages = [...files].filter(([path]) => path.endsWith('.md') && path !== 'SUMMARY.md').map(([, text]) => text);
  const inBranch = pages.flatMap(sentencesIn).toSorted();
  const inSpace = sentencesIn(await textOf(spaceId)).toSorted();
  if (inBranch.join() !== inSpace.join()) {
    const [branch, own] = [new Set(inBranch), new Set(inSpace)];
    const only = [inBranch.filter((each) => !own.has(each)), inSpace.filter((each) => !branch.has(each))];
    faults.push(
      `${at}: only in the branch: ${only[0]}; only in the space: ${only[1]}; ${inBranch.length}/${inSpace.length}`,
    );
    describe(files, only.flat(), await outlineOf(spaceId), await runsOf(spaceId));
  }
}

/** Prints what both sides have, once: later faults follow from it. */
function describe(files: Map<string, string>, wanted: readonly string[], outline: string, runs: string): void {
  if (faults.length > 1) return;
  const holding = [...files].filter(([, text]) => sentencesIn(text).some((each) => wanted.includes(each)));
  console.error(runs, '\n\nPages of the space:\n', outline, '\n\nFiles of the branch:', [...files.keys()].join(' '));
  for (const path of ['SUMMARY.md', ...holding.map(([each]) => each)])
    console.error(`\n--- ${path}\n${files.get(path)}`);
}

/** The pages of the space with their places, and the paths that they have in the branch. */
async function outlineOf(spaceId: string): Promise<string> {
  const { rows } = await db.query(
    `select h.page_id, h.path, h.parent_id, g.path as file from head_page h
     left join git_file g on g.space_id = h.space_id and g.target_id = h.page_id where h.space_id = $1 order by h.path`,
    [spaceId],
  );
  return rows.map((row) => Object.values(row).join('  ')).join('\n');
}

/** Takes one side of each conflict. Only what one side alone has may get lost. */
async function resolve(changeRequestId: string, spaceId: string, ann: BranchAuthor): Promise<void> {
  const [own, branch] = [await textOf(spaceId), [...(await ann.files()).values()].join('\n')];
  const [inSpace, inBranch] = [new Set(sentencesIn(own)), new Set(sentencesIn(branch))];
  for (const sentence of inSpace) if (!inBranch.has(sentence)) sentences.delete(sentence);
  for (const sentence of inBranch) if (!inSpace.has(sentence)) sentences.delete(sentence);
  const at = `/v1/spaces/${spaceId}/change-requests/${changeRequestId}`;
  for (let attempt = 0; attempt < 10; attempt++) {
    const { body } = await call('GET', `${at}/conflicts?limit=1000`);
    if (body.items.length === 0) break;
    const resolutions = body.items.map(({ id }: { id: string }) => ({
      conflictId: id,
      choice: random.chance(0.5) ? 'ours' : 'theirs',
    }));
    chosen = JSON.stringify({ conflicts: body.items, resolutions });
    const answer = await call('POST', `${at}/conflicts/resolve`, { resolutions });
    if (answer.status !== 200 && answer.status !== 409)
      throw new Error(`Resolving: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  const merged = await call('POST', `${at}/merge`);
  if (merged.body.result !== 'merge') throw new Error(`Merging: ${merged.status} ${JSON.stringify(merged.body)}`);
  settledConflicts++;
}

/** The latest runs with what they did. */
async function runsOf(spaceId: string): Promise<string> {
  const { rows } = await db.query(
    'select id, direction, status, reason, change_request_id, log from git_run where space_id = $1 order by created_at desc limit 6',
    [spaceId],
  );
  return JSON.stringify(rows, null, 1);
}

async function openConflict(spaceId: string): Promise<string | undefined> {
  const { rows } = await db.query(
    `select c.id from git_sync g join change_request c on c.id = g.conflict_change_request_id
     where g.space_id = $1 and c.status in ('open', 'draft')`,
    [spaceId],
  );
  return rows[0]?.id;
}

/** The text of all pages of the space. */
async function textOf(spaceId: string): Promise<string> {
  const { rows } = await db.query(
    `select coalesce(d.markdown, '') as markdown from head_page h
     join document d on d.organization_id = h.organization_id and d.hash = h.document_hash where h.space_id = $1`,
    [spaceId],
  );
  return rows.map(({ markdown }) => markdown).join('\n\n');
}

async function start(spaceId: string, direction: 'import' | 'export', url: string): Promise<void> {
  const message = direction === 'export' ? { commitMessage: 'Update the docs' } : {};
  const answer = await call('POST', `/v1/spaces/${spaceId}/git/${direction}`, {
    url,
    ref: 'refs/heads/main',
    ...message,
  });
  if (answer.status !== 204) throw new Error(`${direction}: ${answer.status} ${JSON.stringify(answer.body)}`);
}

async function settle(spaceId: string, direction: 'import' | 'export', url: string) {
  await start(spaceId, direction, url);
  await ended(spaceId);
  const { rows } = await db.query(
    'select status, reason, files_changed as "filesChanged" from git_run where space_id = $1 order by created_at desc, id desc limit 1',
    [spaceId],
  );
  return rows[0];
}

/** Waits until no synchronization of the space is left. */
async function ended(spaceId: string): Promise<void> {
  const until = Date.now() + LONGEST_MS;
  while (Date.now() < until) {
    const { rows } = await db.query(
      `select id from git_run where space_id = $1 and status in ('pending', 'in-progress')`,
      [spaceId],
    );
    if (rows.length === 0) return;
    await sleep(50);
  }
  throw new Error('A synchronization does not end.');
}

/** Kills one of the processes after a while, and starts another one. */
async function killOne(afterMs: number): Promise<void> {
  await sleep(afterMs);
  const [killed] = services.splice(random.below(services.length), 1);
  killed?.process.kill('SIGKILL');
  if (killed && killed.process.exitCode === null && killed.process.signalCode === null)
    await once(killed.process, 'exit');
  kills++;
  // The queue notices a killed process half a minute later. Here it does at once, and takes the other one for killed
  // too, so that both can do the same job at the same time.
  await db.query(
    `update pgboss.job set state = 'retry', start_after = now(), retry_count = retry_count + 1
     where name = 'run-git' and state = 'active' and retry_count < retry_limit`,
  );
  services.push(await startProcess());
}

/** The service with its background work. */
async function startProcess(): Promise<{ process: ChildProcess; url: string }> {
  const child = spawn(process.execPath, programWords('main'), {
    cwd: tmpdir(),
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      DATABASE_URL: database.url,
      SECRET_KEY: 'the secret key of the fault tests',
      DATA_DIR: await mkdtemp(join(folder, 'service-')),
      STORAGE_URL: `file://${join(folder, 'files')}`,
      PORT: '0',
      BOOTSTRAP_TOKEN: TOKEN,
      DEMO: '0',
      ALLOW_PRIVATE_NETWORK: '1',
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'error',
      RATE_LIMIT: '10000000',
    } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((done, fail) => {
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      const address = /listens on (http:\S+)/.exec(printed)?.[1];
      if (address !== undefined) done({ process: child, url: address });
    });
    child.once('exit', (code) => fail(new Error(`The service ended with ${code} before it listened.`)));
  });
}

/** Sends a request to one of the processes, and again to another if it was killed. */
async function call(...[method, path, body]: Parameters<Call>): ReturnType<Call> {
  const key = crypto.randomUUID();
  const headers: Record<string, string> = method === 'POST' ? { 'idempotency-key': key } : {};
  for (let attempt = 0; attempt < 200; attempt++) {
    const service = services[routing.below(services.length)];
    const response = service && (await send({ url: service.url, token: TOKEN }, path, { method, body, headers }));
    const text = await response?.text().catch(() => undefined);
    if (response && text !== undefined && response.status !== 503) {
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    }
    await sleep(50);
  }
  throw new Error(`${method} ${path} is never answered.`);
}
