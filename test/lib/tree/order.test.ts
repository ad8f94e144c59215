import { expect, test } from 'vitest';
import { longestIncreasing } from '../../../src/lib/tree/longest-increasing.ts';

test.each([
  [[], []],
  [
    [0, 1, 2],
    [0, 1, 2],
  ],
  [
    [2, 0, 1],
    [0, 1],
  ],
  [
    [1, 2, 0],
    [1, 2],
  ],
  [[2, 1, 0], [0]],
  [
    [0, 4, 1, 5, 2, 3],
    [0, 1, 2, 3],
  ],
])('of %j, %j stay in place', (numbers, staying) => {
  expect([...longestIncreasing(numbers)].sort((a, b) => a - b)).toEqual(staying);
});
