import { expect, test } from 'vitest';
import { LANES, THREAD_MEGABYTES } from '../../../src/platform/heavy-work/kinds.ts';

test('with two processors, all places of heavy work together may take less than 1.2 GB', () => {
  const { short, long } = THREAD_MEGABYTES;
  expect(2 * short + LANES.long.atOnce * long).toBeLessThan(1_200);
});
