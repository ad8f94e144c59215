import { getEventListeners } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { linkSignals } from '../../src/lib/link-signals.ts';

const listenersOf = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

test('a linked signal aborts with the first of the others, for its reason', () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const { signal } = linkSignals([one.signal, other.signal]);
  expect(signal.aborted).toBe(false);
  other.abort(new Error('other'));
  one.abort(new Error('one'));
  expect(signal.reason).toEqual(new Error('other'));
  expect(linkSignals([new AbortController().signal, other.signal]).signal.reason).toEqual(new Error('other'));
});

test('nothing of it stays on the others once it was disposed or has aborted', () => {
  const [process, request] = [new AbortController(), new AbortController()];
  const disposed = linkSignals([process.signal, request.signal]);
  disposed[Symbol.dispose]();
  linkSignals([process.signal, request.signal]);
  expect(listenersOf(process.signal)).toBe(1);
  request.abort();
  expect([listenersOf(process.signal), listenersOf(request.signal)]).toEqual([0, 0]);
  process.abort();
  expect(disposed.signal.aborted).toBe(false);
});

test('signals that live as long as the process are linked, since Node 20 and 22 keep what AbortSignal.any made of them', () => {
  const longLived = globSync('src/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/AbortSignal\.any\(\[([^\]]*)\]/g)].map(([, signals]) => signals ?? ''),
  );
  expect(longLived.filter((signals) => /closing|stopping/.test(signals))).toEqual([]);
});
