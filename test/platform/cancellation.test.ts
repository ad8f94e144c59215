import { expect, test } from 'vitest';
import { Cancellation } from '../../src/platform/context/cancellation.ts';

test('listeners are called once, in their order, unless they were removed', () => {
  const cancellation = new Cancellation();
  const calls: string[] = [];
  const removed = () => calls.push('removed');
  cancellation.on(() => calls.push('first'));
  cancellation.on(removed);
  cancellation.on(() => calls.push('second'));
  cancellation.off(removed);
  cancellation.throwIfCancelled();
  const reason = new Error('late');
  cancellation.cancel(reason);
  cancellation.cancel(new Error('later'));
  cancellation.on(() => calls.push('too late'));
  expect(calls).toEqual(['first', 'second']);
  expect(cancellation.reason).toBe(reason);
  expect(() => cancellation.throwIfCancelled()).toThrow(reason);
});

test('the signal is aborted with the reason, whether it is read before or after', () => {
  const [early, late] = [new Cancellation(), new Cancellation()];
  const { signal } = early;
  expect(signal.aborted).toBe(false);
  const reason = new Error('late');
  early.cancel(reason);
  late.cancel(reason);
  for (const each of [signal, late.signal]) expect([each.aborted, each.reason]).toEqual([true, reason]);
});
