import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, cp, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { findSecretKey, makeSecretKey } from '../../src/platform/data-dir/secret-key.ts';
import { findPrograms } from '../../src/platform/database/embedded/programs.ts';
import { run } from '../../src/platform/database/embedded/run.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/start-embedded-postgres.ts';
import { administer, atPort } from '../database.ts';

const isRoot = process.geteuid?.() === 0;
const hasSetpriv = existsSync('/usr/bin/setpriv');

let directory: string;
let undo: (() => Promise<unknown> | unknown)[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stemma-embedded-'));
  undo = [() => rm(directory, { recursive: true, force: true, maxRetries: 5 })];
});

afterEach(async () => {
  for (const step of undo.reverse()) await step();
});

test('creates a database at the first start and keeps its data', async () => {
  const first = await start();
  await administer(first.url, 'create table kept as select 1 as one');
  await first.stop();
  const second = await start();
  expect(
    await administer(second.url, "select one, lower('ÄÖ'), current_setting('timezone') as zone from kept"),
  ).toEqual([{ one: 1, lower: 'äö', zone: 'UTC' }]);
  expect(second.messages).toEqual([]);
});

test('makes its directory private and requires the password', async () => {
  const { url } = await start();
  const wrong = new URL(url);
  wrong.password = 'guessed';
  for (const address of [wrong.href, atPort(wrong.href, Number(wrong.port))]) {
    await expect(administer(address, 'select 1')).rejects.toThrow('password authentication failed');
  }
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
  expect((await stat(join(directory, 'postgres', 'password'))).mode & 0o777).toBe(0o600);
});

test('is reached by a socket in its directory, and by TCP where a path is too long for one', async () => {
  const byTcp = 'select inet_client_addr() is not null as "byTcp"';
  const { url, stop } = await start();
  expect(await administer(url, byTcp)).toEqual([{ byTcp: false }]);
  expect(await administer(atPort(url, Number(new URL(url).port)), byTcp)).toEqual([{ byTcp: true }]);
  await stop();
  directory = join(directory, 'long'.repeat(25));
  const far = await start();
  expect(await administer(far.url, byTcp)).toEqual([{ byTcp: true }]);
});

test('removes the sockets of servers that were killed', async () => {
  const { stop } = await start();
  await stop();
  const data = join(directory, 'postgres', 'data');
  const sockets = async () => (await readdir(data)).filter((name) => name.startsWith('.s.PGSQL.'));
  expect(await sockets()).toEqual([]);
  await writeFile(join(data, '.s.PGSQL.1234.lock'), `${process.pid}\n`);
  const { url } = await start();
  const { port } = new URL(url);
  expect((await sockets()).sort()).toEqual([`.s.PGSQL.${port}`, `.s.PGSQL.${port}.lock`]);
});

test('refuses a second process on the same directory, with the PID of the first', async () => {
  const holder = runChild();
  await once(holder, 'message');
  await expect(openDataDir(directory)).rejects.toThrow(`in use by another process (pid ${holder.pid})`);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  (await openDataDir(directory)).close();
});

test('refuses a second opening within one process', async () => {
  const dataDir = await openDataDir(directory);
  await expect(openDataDir(directory)).rejects.toThrow(`pid ${process.pid}`);
  dataDir.close();
  (await openDataDir(directory)).close();
});

test('stops an orphaned server and keeps its committed data', async () => {
  const child = runChild(await pathWithout('setpriv'));
  const url = await addressOf(child);
  await administer(url, 'create table kept as select 1 as one');
  const orphan = await serverPid();
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await administer(url, 'select one from kept')).toEqual([{ one: 1 }]);
  const { url: next, messages } = await start();
  expect(await serverPid()).not.toBe(orphan);
  expect(messages).toEqual([expect.stringContaining(`(pid ${orphan})`)]);
  expect(await administer(next, 'select one from kept')).toEqual([{ one: 1 }]);
});

test.skipIf(!hasSetpriv)('ends its server when it is killed itself', async () => {
  const child = runChild();
  await addressOf(child);
  child.kill('SIGKILL');
  await expect.poll(serverPid).toBe(0);
});

test('restarts a killed server at the same address with all committed data', async () => {
  const { url, messages } = await start();
  await administer(url, 'create table kept as select 1 as one');
  for (const killed of ['first', 'second']) {
    const pid = await serverPid();
    process.kill(pid, 'SIGKILL');
    const answer = () => administer(url, `select one, '${killed}' as after from kept`).catch(() => []);
    await expect.poll(answer).toEqual([{ one: 1, after: killed }]);
    expect(await serverPid()).not.toBe(pid);
  }
  expect(
    messages.filter((message) => message.startsWith('error: The embedded PostgreSQL exited unexpectedly')),
  ).toEqual([expect.stringContaining('SIGKILL'), expect.stringContaining('SIGKILL')]);
});

test('reports repeatedly why a killed server does not restart, and can be stopped', async () => {
  const { messages, stop } = await start();
  await rm(join(directory, 'postgres', 'data', 'PG_VERSION'));
  process.kill(await serverPid(), 'SIGKILL');
  const failures = () => messages.filter((message) => message.includes('does not restart')).length;
  await expect.poll(failures).toBeGreaterThan(2);
  await stop();
});

test('does not signal a process that reuses the PID of a former server', async () => {
  await (await start()).stop();
  const stranger = spawn('sleep', ['60']);
  undo.push(() => stranger.kill());
  await writeFile(join(directory, 'postgres', 'data', 'postmaster.pid'), `${stranger.pid}\n${directory}\n`);
  const { url } = await start();
  expect(await administer(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
});

test('recovers from a first start that was killed', async () => {
  const child = runChild(await pathWithout('setpriv'));
  // In the middle of initdb, which writes this file before it makes the databases.
  const isBegun = async () =>
    (await draftNames()).some((name) => existsSync(join(directory, name, 'data', 'PG_VERSION')));
  await expect.poll(isBegun, { interval: 2 }).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(existsSync(join(directory, 'postgres'))).toBe(false);
  const { url, stop } = await start();
  expect(await administer(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await stop();
  // The initdb that lost its parent works on for a moment; the first start after it removes the last of its draft.
  const restart = async () => (await start()).stop().then(draftNames);
  await expect.poll(restart).toEqual([]);
});

test('explains what to do about an incompatible cluster', async () => {
  const data = join(directory, 'postgres', 'data');
  await mkdir(data, { recursive: true });
  const dataDir = await openDataDir(directory);
  undo.push(dataDir.close);
  const attempt = () => startEmbeddedPostgres({ dataDir, log: () => {} });
  await expect(attempt()).rejects.toThrow('is not a PostgreSQL cluster');
  await writeFile(join(data, 'PG_VERSION'), '14\n');
  await expect(attempt()).rejects.toThrow('was made by PostgreSQL 14');
});

test('shows the end of the log of a server that does not start', async () => {
  await expect(start({ settings: { shared_buffers: 'plenty' } })).rejects.toThrow(
    /postgres\.log, ends with:\n.*plenty/s,
  );
});

test.runIf(isRoot && hasSetpriv)('runs for root where user namespaces are not to be had, and back', async () => {
  const first = await start({ searchPath: await pathWithout('unshare') });
  await administer(first.url, 'create table kept as select 1 as one');
  expect((await stat(`/proc/${await serverPid()}`)).uid).not.toBe(0);
  await first.stop();
  const second = await start();
  expect(await administer(second.url, 'select one from kept')).toEqual([{ one: 1 }]);
});

test.runIf(isRoot)('refuses a directory of another user', async () => {
  await chown(directory, 12_345, 12_345);
  await expect(openDataDir(directory)).rejects.toThrow('belongs to the user with id 12345');
});

test('finds its libraries where the install script of the package did not run', async () => {
  const dataDir = await openDataDir(directory);
  undo.push(dataDir.close);
  const { initdb } = await findPrograms(dataDir, '/usr/bin');
  const root = join(directory, 'package');
  const isFile = async (path: string) => !(await lstat(path)).isSymbolicLink() && !path.endsWith('/share');
  await cp(dirname(dirname(initdb)), join(root, 'native'), { recursive: true, filter: isFile });
  await expect(run([join(root, 'native', 'bin', 'initdb'), '--version'])).rejects.toThrow('initdb failed');
  const { environment } = await findPrograms(dataDir, '/usr/bin', root);
  expect(environment.LD_LIBRARY_PATH ?? environment.DYLD_LIBRARY_PATH).toContain(directory);
});

test('generates one private secret key and never replaces a damaged one', async () => {
  const dataDir = await openDataDir(directory);
  undo.push(dataDir.close);
  expect(await findSecretKey(dataDir)).toBeUndefined();
  const key = await makeSecretKey(dataDir);
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(await findSecretKey(dataDir)).toBe(key);
  const file = join(directory, 'secret-key');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await writeFile(file, key.slice(1));
  await expect(findSecretKey(dataDir)).rejects.toThrow('does not contain 64 hexadecimal digits');
  expect(await readFile(file, 'utf8')).toBe(key.slice(1));
});

/** A server of this process on the test's directory. Disk flushes are left out: no test cuts the power. */
async function start({ settings, ...rest }: { settings?: Record<string, string>; searchPath?: string } = {}) {
  const messages: string[] = [];
  const dataDir = await openDataDir(directory);
  undo.push(dataDir.close);
  const log = (message: string, level?: string) => messages.push(level ? `${level}: ${message}` : message);
  const { url, stop } = await startEmbeddedPostgres({ dataDir, log, settings: { fsync: 'off', ...settings }, ...rest });
  undo.push(stop);
  return { url, messages, stop: () => stop().then(dataDir.close) };
}

function runChild(searchPath = ''): ChildProcess {
  const child = fork(join(import.meta.dirname, 'embedded-child.ts'), [directory, searchPath]);
  undo.push(() => child.kill('SIGKILL'));
  return child;
}

async function addressOf(child: ChildProcess): Promise<string> {
  for (;;) {
    const [message] = await once(child, 'message');
    if (message !== 'opened') return String(message);
  }
}

/** A directory with the programs that lend PostgreSQL another user, but for one. */
async function pathWithout(program: string): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'stemma-path-'));
  undo.unshift(() => rm(path, { recursive: true }));
  for (const name of ['unshare', 'setpriv']) {
    if (name !== program) await symlink(`/usr/bin/${name}`, join(path, name));
  }
  return path;
}

const draftNames = async () => (await readdir(directory)).filter((name) => name.startsWith('postgres.new-'));

/** Zero where none runs: a server removes its note when it has ended in order. */
const serverPid = async () =>
  Number.parseInt(await readFile(join(directory, 'postgres', 'data', 'postmaster.pid'), 'utf8').catch(() => '0'), 10);
