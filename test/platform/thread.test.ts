import { expect, test } from 'vitest';
import { makeAnswerer, runThread } from '../../src/platform/thread.ts';

const module = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);

const echo = module(`
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', (question) => {
    if (question === 'loop') for (;;);
    if (question === 'throw') throw new Error('on purpose');
    parentPort.postMessage(question + '!');
  });
`);

test('a thread answers questions in their order, and anew after one that it did not live through', async () => {
  const answerer = makeAnswerer<string, string>(echo, 1_000);
  expect(await Promise.all([answerer.ask('a'), answerer.ask('b')])).toEqual(['a!', 'b!']);
  await expect(answerer.ask('loop')).rejects.toThrow(/longer than 1 seconds/);
  expect(await answerer.ask('c')).toBe('c!');
  await expect(answerer.ask('throw')).rejects.toThrow('on purpose');
  expect(await answerer.ask('d')).toBe('d!');
  const gone = AbortSignal.abort(new Error('gone'));
  await expect(answerer.ask('e', gone)).rejects.toThrow('gone');
  await answerer.close();
});

test('a thread that runs says what it does, and is stopped when it is quiet, too large or not wanted any more', async () => {
  const said: unknown[] = [];
  const hello = module(`
    import { parentPort, workerData } from 'node:worker_threads';
    parentPort.postMessage(workerData);
  `);
  await runThread(hello, (message) => said.push(message), { data: { a: 1 }, quietMs: 5_000 });
  expect(said).toEqual([{ a: 1 }]);
  const listen = () => {};
  await expect(runThread(module('for (;;);'), listen, { quietMs: 300 })).rejects.toThrow(/longer than/);
  const signal = AbortSignal.timeout(300);
  await expect(runThread(module('for (;;);'), listen, { quietMs: 9_000, signal })).rejects.toThrow(/aborted/);
  await expect(runThread(module('throw new Error("no")'), listen, { quietMs: 9_000 })).rejects.toThrow('no');
  const hungry = module('const kept = []; for (;;) kept.push(new Array(1e6).fill(1.5));');
  await expect(runThread(hungry, listen, { quietMs: 60_000 })).rejects.toThrow(/more than 768 MB/);
}, 90_000);
