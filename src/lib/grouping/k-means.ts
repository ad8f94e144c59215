import type { Matrix } from './latent.ts';

const ITERATIONS = 12;

/**
 * Spherical k-means over rows of length 1: the number of its group for each row. Begins with rows that are far from
 * each other (k-means++, Arthur and Vassilvitskii 2007).
 */
export function kMeans(rows: Matrix, groups: number, random: () => number): Int32Array {
  let centers = firstCenters(rows, groups, random);
  let labels = new Int32Array(rows.count);
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    const next = labelsOf(rows, centers, groups);
    const isSame = iteration > 0 && next.every((label, row) => label === labels[row]);
    labels = next;
    if (isSame) break;
    centers = centersOf(rows, labels, centers, groups);
  }
  return labels;
}

function firstCenters(rows: Matrix, groups: number, random: () => number): Float64Array {
  const { count, width, at } = rows;
  const centers = new Float64Array(groups * width);
  const distances = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  let chosen = Math.floor(random() * count);
  for (let group = 0; group < groups; group++) {
    centers.set(at.subarray(chosen * width, chosen * width + width), group * width);
    let sum = 0;
    for (let row = 0; row < count; row++) {
      const distance = Math.max(0, 1 - product(at, row * width, centers, group * width, width));
      distances[row] = Math.min(distances[row] ?? 0, distance);
      sum += distances[row] ?? 0;
    }
    let left = random() * sum;
    for (chosen = 0; chosen < count - 1 && left > (distances[chosen] ?? 0); chosen++) left -= distances[chosen] ?? 0;
  }
  return centers;
}

function labelsOf({ count, width, at }: Matrix, centers: Float64Array, groups: number): Int32Array<ArrayBuffer> {
  const labels = new Int32Array(count);
  for (let row = 0; row < count; row++) {
    let best = Number.NEGATIVE_INFINITY;
    for (let group = 0; group < groups; group++) {
      const similarity = product(at, row * width, centers, group * width, width);
      if (similarity <= best) continue;
      best = similarity;
      labels[row] = group;
    }
  }
  return labels;
}

/** The means of the groups, scaled to length 1. A group without rows keeps its center. */
function centersOf(
  { count, width, at }: Matrix,
  labels: Int32Array,
  earlier: Float64Array,
  groups: number,
): Float64Array {
  const centers = new Float64Array(groups * width);
  for (let row = 0; row < count; row++) {
    const start = (labels[row] ?? 0) * width;
    for (let place = 0; place < width; place++) {
      centers[start + place] = (centers[start + place] ?? 0) + (at[row * width + place] ?? 0);
    }
  }
  for (let start = 0; start < centers.length; start += width) {
    const length = Math.sqrt(product(centers, start, centers, start, width));
    if (length === 0) centers.set(earlier.subarray(start, start + width), start);
    else for (let place = start; place < start + width; place++) centers[place] = (centers[place] ?? 0) / length;
  }
  return centers;
}

function product(a: Float64Array, from: number, b: Float64Array, start: number, width: number): number {
  let sum = 0;
  for (let place = 0; place < width; place++) sum += (a[from + place] ?? 0) * (b[start + place] ?? 0);
  return sum;
}
