import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { WorkExceeded } from '../../../src/platform/heavy-work/work-exceeded.ts';
import { IDLE_MS, makeWorkerPool, type WorkerOptions } from '../../../src/platform/heavy-work/worker-pool.ts';
import { faultCount } from '../../../src/platform/log/process-faults.ts';
import type { work } from './pool-work.ts';

const logged: { level: string; fields: object }[] = [];
const log = {
  error: (fields: object) => void logged.push({ level: 'error', fields }),
  fatal: (fields: object) => void logged.push({ level: 'fatal', fields }),
};
const pool = makeWorkerPool(64, log);
afterAll(() => pool.close());

const module = new URL('./pool-work.ts', import.meta.url);
const signal = new AbortController().signal;

const run = (input: Parameters<typeof work>[0], options: Partial<WorkerOptions> = {}) =>
  pool.run<typeof work>(module, input, { signal, limitMs: 60_000, ...options });

test('returns the result of the function, for concurrent calls too', async () => {
  const said = await Promise.all(Array.from({ length: 5 }, (_, index) => run({ say: `${index}` })));
  expect(said).toEqual(Array.from({ length: 5 }, (_, index) => ({ said: `${index}` })));
});

test('a worker runs one task after another', async () => {
  const first = await run({ tellsProcess: true });
  expect(await run({ tellsProcess: true })).toEqual(first);
});

test('a worker ends with a task that has filled its memory, and only if it has', async () => {
  const first = await run({ tellsProcess: true }, { isLarge: true });
  expect(await run({ tellsProcess: true, fills: true }, { isLarge: true })).toEqual(first);
  expect(await run({ tellsProcess: true })).not.toEqual(first);
});

test('a task that comes when an idle worker is ended gets another worker', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const first = await run({ tellsProcess: true });
  vi.advanceTimersByTime(IDLE_MS);
  expect(await run({ tellsProcess: true })).not.toEqual(first);
});

test('the time limit of a task does not include the time in which its module loads', async () => {
  const slow = new URL('./slow-to-load-work.ts', import.meta.url);
  const { LOADS_MS } = await import('./slow-to-load-work.ts');
  const result = await pool.run<() => string>(slow, undefined, { signal, limitMs: LOADS_MS / 2 });
  expect(result).toBe('done');
});

test('a failure is told, and the worker goes on', async () => {
  await expect(run({ fails: true })).rejects.toThrow('It is meant to fail.');
  expect(await run({ say: 'still here' })).toEqual({ said: 'still here' });
});

test('all messages arrive before the result', async () => {
  const taken: unknown[] = [];
  await run({ count: 5_000 }, { onMessage: (message) => taken.push(message) });
  expect(taken).toEqual(Array.from({ length: 5_000 }, (_, index) => index));
});

test('endless work is terminated, and the next runs', async () => {
  const endless = await Promise.allSettled([1, 2, 3].map(() => run({ forever: true }, { limitMs: 300 })));
  expect(endless.map((each) => each.status === 'rejected' && each.reason)).toEqual(
    Array(3).fill(expect.objectContaining({ name: 'WorkExceeded', bound: 'time' })),
  );
  expect(await run({ say: 'after' })).toEqual({ said: 'after' });
});

test('cancelled work is terminated with the reason', async () => {
  const unwanted = new AbortController();
  const running = run({ count: 1, forever: true }, { signal: unwanted.signal, onMessage: () => unwanted.abort(GONE) });
  await expect(running).rejects.toBe(GONE);
  await expect(run({ say: 'never' }, { signal: unwanted.signal })).rejects.toBe(GONE);
  expect(await run({ say: 'after' })).toEqual({ said: 'after' });
});

const GONE = new Error('gone');

test('a task that exhausts its memory only ends its worker', async () => {
  await expect(run({ hoard: true })).rejects.toThrow(new WorkExceeded('memory', 64).message);
  expect(await run({ say: 'alive' })).toEqual({ said: 'alive' });
}, 120_000);

test('running tasks fail on close', async () => {
  const closing = makeWorkerPool(64, log);
  const begun = Promise.withResolvers<void>();
  const options = { signal, limitMs: 60_000, onMessage: () => begun.resolve() };
  const asked = Promise.allSettled([closing.run<typeof work>(module, { count: 1, forever: true }, options)]);
  await begun.promise;
  await closing.close();
  expect((await asked).map(({ status }) => status)).toEqual(['rejected']);
});

test('a worker that the system kills fails its task, and the next task gets another worker', async () => {
  const first = (await run({ tellsProcess: true })) as { pid: number };
  const running = run({ count: 1, forever: true }, { onMessage: () => process.kill(first.pid, 'SIGKILL') });
  await expect(running).rejects.toThrow(new WorkExceeded('memory', 64).message);
  expect(await run({ tellsProcess: true })).not.toEqual(first);
});

test.runIf(process.platform === 'linux')(
  'a worker that is busy ends with its parent, even when that is killed',
  async () => {
    const code = `
    import { makeWorkerPool } from ${JSON.stringify(new URL('../../../src/platform/heavy-work/worker-pool.ts', import.meta.url).href)};
    const pool = makeWorkerPool(64, console);
    const options = { signal: new AbortController().signal, limitMs: 60_000 };
    const { pid } = await pool.run(new URL(${JSON.stringify(module.href)}), { tellsProcess: true }, options);
    console.log(pid);
    await pool.run(new URL(${JSON.stringify(module.href)}), { forever: true }, options);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = await once(parent.stdout, 'data');
    const pid = Number(String(said));
    expect(isRunning(pid)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isRunning(pid)).toBe(false);
  },
);

function isRunning(pid: number): boolean {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '';
  return stat !== '' && !/^\d+ \(.*\) Z/.test(stat);
}

test('a rejection that a task does not handle is logged and counted, and the task goes on', async () => {
  const before = faultCount('unhandled_rejection');
  expect(await run({ strays: true, waitMs: 100, say: 'done' })).toEqual({ said: 'done' });
  await expect.poll(() => logged).toHaveLength(1);
  const err = expect.objectContaining({ type: 'Error', message: 'Nobody waits for it.' });
  const fields = { process: 'heavy-work', pid: expect.any(Number), err };
  expect(logged.splice(0)).toEqual([{ level: 'error', fields }]);
  expect(faultCount('unhandled_rejection')).toBe(before + 1);
});

test('an uncaught exception is logged and counted, and its task fails with its worker', async () => {
  const before = faultCount('uncaught_exception');
  const first = (await run({ tellsProcess: true })) as { pid: number };
  await expect(run({ throwsLater: true, waitMs: 60_000 })).rejects.toThrow('The process ended with 1');
  const err = expect.objectContaining({ type: 'Error', message: 'Nobody catches it.' });
  expect(logged.splice(0)).toEqual([{ level: 'fatal', fields: { process: 'heavy-work', pid: first.pid, err } }]);
  expect(faultCount('uncaught_exception')).toBe(before + 1);
  expect(await run({ say: 'after' })).toEqual({ said: 'after' });
});

test.runIf(process.platform === 'linux')(
  'a worker has the lowest priority, and neither secrets nor output',
  async () => {
    const told = await run({ tellsProcess: true });
    expect(told).toEqual({ pid: expect.any(Number), nice: 10, variables: expect.any(Array) });
    const { variables } = told as { variables: string[] };
    expect(variables.filter((name) => !['MALLOC_ARENA_MAX', 'NODE_COMPILE_CACHE'].includes(name))).toEqual([]);
  },
);
