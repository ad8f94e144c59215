import { randomFrom } from './random.ts';
import type { Vector } from './vectors.ts';

const ITERATIONS = 15;

/** Rows of numbers of equal length. */
export interface Matrix {
  count: number;
  width: number;
  at: Float64Array;
}

/**
 * Latent semantic analysis: the vectors in the space of their `width` strongest singular directions, strongest first,
 * scaled by the singular values. Words that occur next to the same words come close. Orthogonal iteration.
 */
export function latentRows(vectors: readonly Vector[], width: number): Matrix {
  const columns = columnsOf(vectors);
  let basis = firstBasis(vectors.length, width);
  let strengths: number[] = [];
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    basis = times(vectors, columns, basis, width);
    strengths = orthonormalize(basis, vectors.length, width);
  }
  const at = basis.map((value, index) => value * Math.sqrt(strengths[index % width] ?? 0));
  return { count: vectors.length, width, at };
}

/** The first `width` numbers of each row, scaled to length 1. */
export function firstOf(rows: Matrix, width: number): Matrix {
  const at = new Float64Array(rows.count * width);
  for (let row = 0; row < rows.count; row++) {
    const part = rows.at.subarray(row * rows.width, row * rows.width + width);
    let square = 0;
    for (const value of part) square += value * value;
    const length = Math.sqrt(square) || 1;
    for (let column = 0; column < width; column++) at[row * width + column] = (part[column] ?? 0) / length;
  }
  return { count: rows.count, width, at };
}

/** Consecutive numbers of the buckets that occur. */
function columnsOf(vectors: readonly Vector[]): Map<number, number> {
  const columns = new Map<number, number>();
  for (const { buckets } of vectors) {
    for (const bucket of buckets) if (!columns.has(bucket)) columns.set(bucket, columns.size);
  }
  return columns;
}

function firstBasis(count: number, width: number): Float64Array {
  const random = randomFrom(1);
  return Float64Array.from({ length: count * width }, () => random() - 0.5);
}

/** The product of the matrix of vectors, its transpose, and the basis. */
function times(
  vectors: readonly Vector[],
  columns: ReadonlyMap<number, number>,
  basis: Float64Array,
  width: number,
): Float64Array {
  const between = new Float64Array(columns.size * width);
  const product = new Float64Array(vectors.length * width);
  const walk = (from: Float64Array, to: Float64Array, isTransposed: boolean) => {
    for (const [row, { buckets, weights }] of vectors.entries()) {
      for (const [index, bucket] of buckets.entries()) {
        const weight = weights[index] ?? 0;
        const column = columns.get(bucket) ?? 0;
        const [source, target] = isTransposed ? [row * width, column * width] : [column * width, row * width];
        for (let place = 0; place < width; place++) {
          to[target + place] = (to[target + place] ?? 0) + weight * (from[source + place] ?? 0);
        }
      }
    }
  };
  walk(basis, between, true);
  walk(between, product, false);
  return product;
}

/** Gram-Schmidt on the columns, in place. Returns their lengths before. */
function orthonormalize(basis: Float64Array, count: number, width: number): number[] {
  const columns = Array.from({ length: width }, (_, column) =>
    Float64Array.from({ length: count }, (_, row) => basis[row * width + column] ?? 0),
  );
  const lengths: number[] = [];
  for (const [index, column] of columns.entries()) {
    for (const earlier of columns.slice(0, index)) addTo(column, earlier, -dot(column, earlier));
    const length = Math.sqrt(dot(column, column));
    lengths.push(length);
    for (let row = 0; row < count; row++) {
      column[row] = length > 1e-9 ? (column[row] ?? 0) / length : 0;
      basis[row * width + index] = column[row] ?? 0;
    }
  }
  return lengths;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}

function addTo(a: Float64Array, b: Float64Array, factor: number): void {
  for (let index = 0; index < a.length; index++) a[index] = (a[index] ?? 0) + factor * (b[index] ?? 0);
}
