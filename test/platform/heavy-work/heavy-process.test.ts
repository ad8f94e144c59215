import { afterAll, expect, test } from 'vitest';
import { makeHeavyProcess, type ThreadOptions } from '../../../src/platform/heavy-work/heavy-process.ts';
import { WorkExceeded } from '../../../src/platform/heavy-work/work-exceeded.ts';
import { countOf } from '../../../src/platform/process-faults.ts';
import type { work } from './thread-work.ts';

const logged: { level: string; fields: object }[] = [];
const log = {
  error: (fields: object) => void logged.push({ level: 'error', fields }),
  fatal: (fields: object) => void logged.push({ level: 'fatal', fields }),
};
const heavyProcess = makeHeavyProcess(log);
const threads = heavyProcess.threads({ atOnce: 2, megabytes: 64, youngMegabytes: 16 });
afterAll(() => heavyProcess.close());

const module = new URL('./thread-work.ts', import.meta.url);
const signal = new AbortController().signal;

const run = (input: Parameters<typeof work>[0], options: Partial<ThreadOptions> = {}) =>
  threads.run<typeof work>(module, input, { signal, limitMs: 60_000, ...options });

test('returns the result of the function, for concurrent calls too', async () => {
  const said = await Promise.all(Array.from({ length: 20 }, (_, index) => run({ say: `${index}` })));
  expect(said).toEqual(Array.from({ length: 20 }, (_, index) => ({ said: `${index}` })));
});

test('a thread has bounded memory for young objects, too', async () => {
  expect(await run({ tellsLimits: true })).toMatchObject({
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 },
  });
});

test('a failure is told, and the thread goes on', async () => {
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

test('work that exhausts its memory only terminates its thread', async () => {
  await expect(run({ hoard: true })).rejects.toThrow(new WorkExceeded('memory', 64).message);
  expect(await run({ say: 'alive' })).toEqual({ said: 'alive' });
}, 120_000);

test('running work fails on close', async () => {
  const closing = makeHeavyProcess(log);
  const thread = closing.threads({ atOnce: 1, megabytes: 64, youngMegabytes: 16 });
  const begun = Promise.withResolvers<void>();
  const options = { signal, limitMs: 60_000, onMessage: () => begun.resolve() };
  const asked = Promise.allSettled([thread.run<typeof work>(module, { count: 1, forever: true }, options)]);
  await begun.promise;
  await closing.close();
  expect((await asked).map(({ status }) => status)).toEqual(['rejected']);
});

test('the process ends by itself: what ran in it runs again, except what has sent messages', async () => {
  const first = await run({ tellsProcess: true });
  const spoken = Promise.withResolvers<void>();
  const speaking = run({ count: 1, forever: true }, { onMessage: () => spoken.resolve() });
  await spoken.promise;
  const silent = run({ waitMs: 1_000, say: 'again' });
  process.kill((first as { pid: number }).pid, 'SIGKILL');
  await expect(speaking).rejects.toThrow(new WorkExceeded('memory', 64).message);
  expect(await silent).toEqual({ said: 'again' });
  expect(await run({ tellsProcess: true })).not.toEqual(first);
});

test('a rejection that a thread does not handle is logged and counted, and its work goes on', async () => {
  const before = countOf('unhandled_rejection');
  expect(await run({ strays: true, waitMs: 100, say: 'done' })).toEqual({ said: 'done' });
  await expect.poll(() => logged).toHaveLength(1);
  const err = expect.objectContaining({ type: 'Error', message: 'Nobody waits for it.' });
  const fields = { process: 'heavy-work', pid: expect.any(Number), err };
  expect(logged.splice(0)).toEqual([{ level: 'error', fields }]);
  expect(countOf('unhandled_rejection')).toBe(before + 1);
});

test('after an uncaught exception, the process completes its running work and ends, and another takes the rest', async () => {
  const before = countOf('uncaught_exception');
  const first = (await run({ tellsProcess: true })) as { pid: number };
  const breaking = run({ breaksProcess: true, waitMs: 1_000, tellsProcess: true });
  await expect.poll(() => logged).toHaveLength(1);
  const next = (await run({ tellsProcess: true })) as { pid: number };
  expect(next.pid).not.toBe(first.pid);
  expect(await breaking).toMatchObject({ pid: first.pid });
  const isRunning = () => {
    try {
      return process.kill(first.pid, 0);
    } catch {
      return false;
    }
  };
  await expect.poll(isRunning).toBe(false);
  expect(await run({ tellsProcess: true })).toMatchObject({ pid: next.pid });
  const err = expect.objectContaining({ message: expect.stringContaining('could not be cloned') });
  expect(logged.splice(0)).toEqual([{ level: 'fatal', fields: { process: 'heavy-work', pid: first.pid, err } }]);
  expect(countOf('uncaught_exception')).toBe(before + 1);
});

test.runIf(process.platform === 'linux')('has neither secrets nor output', async () => {
  const told = await run({ tellsProcess: true });
  expect(told).toEqual({ pid: expect.any(Number), variables: expect.any(Array) });
  const { variables } = told as { variables: string[] };
  expect(variables.filter((name) => !['MALLOC_ARENA_MAX', 'NODE_COMPILE_CACHE'].includes(name))).toEqual([]);
});
