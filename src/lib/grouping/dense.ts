import { randomFrom } from './random.ts';
import { meanOf, type Vector } from './vectors.ts';

/** Vectors of documents by a model, in rows of equal width. A row of zeros is of a document without a vector. */
export interface DenseRows {
  width: number;
  at: Float32Array;
}

/** Numbers of a vector that are kept. */
export const MAX_WIDTH = 256;

/** Numbers of the shorter vector that each number is added to. */
const COPIES_PER_NUMBER = 4;

/**
 * A vector with at most `MAX_WIDTH` numbers. Longer ones are projected at random, always in the same way, which nearly
 * keeps the similarities of vectors (a sparse Johnson-Lindenstrauss transform, Kane and Nelson 2014).
 */
export function projectedVector(vector: readonly number[]): number[] {
  if (vector.length <= MAX_WIDTH) return [...vector];
  const random = randomFrom(vector.length);
  const short = new Float64Array(MAX_WIDTH);
  for (const value of vector) {
    for (let copy = 0; copy < COPIES_PER_NUMBER; copy++) {
      const place = Math.floor(random() * MAX_WIDTH);
      short[place] = (short[place] ?? 0) + (random() < 0.5 ? -value : value);
    }
  }
  return [...short];
}

/** The mean of all rows with a vector. */
export function meanOfRows({ width, at }: DenseRows): number[] {
  const sums = new Float64Array(width);
  let count = 0;
  for (let start = 0; start < at.length; start += width) {
    const row = at.subarray(start, start + width);
    if (row.every((value) => value === 0)) continue;
    count++;
    for (let place = 0; place < width; place++) sums[place] = (sums[place] ?? 0) + (row[place] ?? 0);
  }
  return Array.from(sums, (sum) => sum / Math.max(1, count));
}

/**
 * The rows as vectors of length 1, less their mean, because vectors of models point in similar directions. Rows of
 * zeros have no features.
 */
export function centerRows({ width, at }: DenseRows, mean: readonly number[]): Vector[] {
  const buckets = Array.from({ length: width }, (_, place) => place);
  return Array.from({ length: width === 0 ? 0 : at.length / width }, (_, index) => {
    const row = at.subarray(index * width, (index + 1) * width);
    if (row.every((value) => value === 0)) return { buckets: [], weights: [] };
    const weights = row.map((value, place) => value - (mean[place] ?? 0));
    const length = Math.hypot(...weights);
    return length < 1e-6 ? { buckets: [], weights: [] } : { buckets, weights: weights.map((value) => value / length) };
  });
}

/** The mean of vectors, scaled to length 1, as numbers of the given width. */
export function denseMeanOf(vectors: readonly Vector[], width: number): number[] {
  const { buckets, weights } = meanOf(vectors);
  const mean = Array.from({ length: width }, () => 0);
  for (const [index, bucket] of buckets.entries()) mean[bucket] = weights[index] ?? 0;
  return mean;
}

/** Numbers as a vector. */
export const vectorOfNumbers = (numbers: readonly number[]): Vector => ({
  buckets: numbers.map((_, place) => place),
  weights: numbers,
});
