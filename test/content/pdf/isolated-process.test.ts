import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { type IsolatedProcess, runIsolated } from '../../../src/domain/content/pdf/isolated-process.ts';

const entry = new URL('./isolated-entry.ts', import.meta.url);

const run = async (name: string, argument = '', options: Partial<IsolatedProcess> = {}) => {
  const output: Buffer[] = [];
  await runIsolated({
    entry,
    readable: [import.meta.dirname],
    input: [`${name}\n`, argument],
    signal: new AbortController().signal,
    limitMs: 30_000,
    megabytes: 128,
    maxOutputBytes: 1_000_000,
    async receive(chunks) {
      for await (const chunk of chunks) output.push(chunk);
    },
    ...options,
  });
  return Buffer.concat(output).toString();
};

test('returns its output', async () => {
  expect(await run('echo', 'Hello, wörld')).toBe('Hello, wörld');
});

test('its environment is empty', async () => {
  vi.stubEnv('OF_THE_PARENT', 'secret');
  expect(JSON.parse(await run('environment'))).not.toEqual(expect.arrayContaining(['OF_THE_PARENT', 'PATH', 'HOME']));
});

test('reads allowed files only', async () => {
  const path = join(import.meta.dirname, 'isolated-entry.ts');
  expect(await run('read', path)).toBe(await readFile(path, 'utf8'));
});

const outside = join(tmpdir(), `stemma-isolated-${process.pid}`);

test.each([
  ['read', '/etc/hosts'],
  ['read', '/proc/self/environ'],
  ['read', join(import.meta.dirname, '..', '..', '..', 'package.json')],
  ['read', `${import.meta.dirname}/../../../package.json`],
  ['stream', '/dev/zero'],
  ['exists', '/etc/hosts'],
  ['write', outside],
  ['spawn', ''],
  ['worker', ''],
])('may not %s %s', async (name, argument) => {
  await expect(
    run(name, argument).then((said) => (said === 'false' ? Promise.reject(new Error('ERR_ACCESS_DENIED')) : said)),
  ).rejects.toThrow('ERR_ACCESS_DENIED');
  await rm(outside, { force: true });
});

test('a failure is reported with its output', async () => {
  await expect(run('fail')).rejects.toThrow('It is meant to fail.');
});

test('is terminated at the time limit', async () => {
  await expect(run('forever', '', { limitMs: 1_500 })).rejects.toMatchObject({ name: 'WorkExceeded', bound: 'time' });
});

test('is terminated if it is cancelled', async () => {
  const unwanted = new AbortController();
  const reason = new Error('gone');
  async function* input() {
    yield 'forever\n';
    setImmediate(() => unwanted.abort(reason));
  }
  await expect(run('', '', { input: input(), signal: unwanted.signal })).rejects.toBe(reason);
  await expect(run('echo', '', { signal: unwanted.signal })).rejects.toBe(reason);
});

test('is terminated if its heap is full', async () => {
  await expect(run('heap')).rejects.toMatchObject({ name: 'WorkExceeded', bound: 'memory' });
});

test.runIf(process.platform === 'linux')('is ended when it takes memory beside its heap', async () => {
  await expect(run('buffers')).rejects.toMatchObject({ name: 'WorkExceeded', bound: 'memory' });
});

test('is terminated if its output is too large', async () => {
  await expect(run('flood')).rejects.toThrow('it has more than 1 MB');
});

const hasPdeathsig = () => {
  try {
    execFileSync('setpriv', ['--pdeathsig', 'KILL', 'true']);
    return true;
  } catch {
    return false;
  }
};

test.runIf(hasPdeathsig())('ends with its parent, even when that is killed', async () => {
  const code = `
    import { runIsolated } from ${JSON.stringify(new URL('../../../src/domain/content/pdf/isolated-process.ts', import.meta.url).href)};
    void runIsolated({
      entry: new URL(${JSON.stringify(entry.href)}), readable: [${JSON.stringify(import.meta.dirname)}],
      input: (async function* () { yield 'forever\\n'; })(), signal: new AbortController().signal,
      limitMs: 60_000, megabytes: 128, maxOutputBytes: 10, async receive(output) { for await (const _ of output) {} },
    });
    const { readdirSync, readFileSync } = await import('node:fs');
    const childOf = () => readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').trim();
    const look = setInterval(() => {
      const child = childOf();
      if (child === '') return;
      clearInterval(look);
      console.log(child);
    }, 20);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = await once(parent.stdout, 'data');
  const child = Number(String(said));
  expect(isAlive(child)).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => isAlive(child)).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)])
      .toString()
      .startsWith('Z');
  } catch {
    return false;
  }
}
