import { expect, test } from 'vitest';
import { LANES, WORKER_MEGABYTES } from '../../../src/platform/heavy-work/kinds.ts';

test('with two processors, all places of heavy work together have at most 1.75 GB of heap', () => {
  const { short, long, print } = WORKER_MEGABYTES;
  expect(2 * short + LANES.long.atOnce * long + LANES.print.atOnce * print).toBeLessThan(1_750);
});
