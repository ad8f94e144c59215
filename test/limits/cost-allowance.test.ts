import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CostAllowance } from '../../src/platform/query-cost/cost-allowance.ts';

const PER_MINUTE = 6_000;

function allowance() {
  let now = 1_000_000;
  const costs = new CostAllowance(PER_MINUTE, () => new Date(now));
  const waitOf = (account: string): number => {
    try {
      costs.rejectExhausted(account);
      return 0;
    } catch (error) {
      return (error as { retryAfterSeconds: number }).retryAfterSeconds;
    }
  };
  return { costs, waitOf, advance: (ms: number) => (now += ms) };
}

test('over any time, an account gets what it had at once, what is restored, and one operation more', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 4_000 }), fc.integer({ min: 0, max: 20_000 })));
  fc.assert(
    fc.property(steps, (asked) => {
      const { costs, waitOf, advance } = allowance();
      let [used, passed, largest] = [0, 0, 0];
      for (const [cost, ms] of asked) {
        if (waitOf('a') === 0) {
          costs.charge('a', cost);
          used += cost;
          largest = Math.max(largest, cost);
        }
        expect(used).toBeLessThanOrEqual(PER_MINUTE + (PER_MINUTE * passed) / 60_000 + largest);
        advance(ms);
        passed += ms;
      }
    }),
    { numRuns: 300 },
  );
});

test('who waits as long as told goes on, and accounts do not use up what others have', () => {
  fc.assert(
    fc.property(fc.integer({ min: PER_MINUTE, max: 100_000 }), (cost) => {
      const { costs, waitOf, advance } = allowance();
      costs.charge('a', cost);
      const seconds = waitOf('a');
      expect([seconds > 0, waitOf('b')]).toEqual([true, 0]);
      advance(seconds * 1_000);
      expect(waitOf('a')).toBe(0);
    }),
    { numRuns: 100 },
  );
});
