import fc from 'fast-check';
import { expect, test } from 'vitest';
import { centerRows, MAX_WIDTH, meanOfRows, projectedVector } from '../../../src/lib/grouping/dense.ts';
import { randomFrom } from '../../../src/lib/grouping/random.ts';

const cosine = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, place) => sum + value * (b[place] ?? 0), 0) / (Math.hypot(...a) * Math.hypot(...b));

test('long vectors are shortened alike each time, and nearly keep their similarity', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: MAX_WIDTH + 1, max: 3_072 }), fc.double({ min: 0, max: 1 }), (...given) => {
      const [seed, width, share] = given;
      const random = randomFrom(seed);
      const a = Array.from({ length: width }, () => random() - 0.5);
      const b = a.map((value) => (Number.isNaN(share) ? 0 : share) * value + random() - 0.5);
      expect(projectedVector(a)).toEqual(projectedVector(a));
      expect(projectedVector(a)).toHaveLength(MAX_WIDTH);
      expect(Math.abs(cosine(projectedVector(a), projectedVector(b)) - cosine(a, b))).toBeLessThan(0.35);
    }),
    { numRuns: 50 },
  );
});

test('vectors that are short enough stay as they are', () => {
  expect(projectedVector([1, 2, 3])).toEqual([1, 2, 3]);
});

test('rows become vectors of length 1 without what is common; rows of zeros have no features', () => {
  const rows = { width: 2, at: Float32Array.from([3, 1, 1, 1, 0, 0, 2, 1]) };
  const mean = meanOfRows(rows);
  expect(mean).toEqual([2, 1]);
  expect(centerRows(rows, mean).map(({ weights }) => [...weights])).toEqual([[1, 0], [-1, 0], [], []]);
});
