import { kMeans } from '../../../src/lib/grouping/k-means.ts';
import { randomFrom } from '../../../src/lib/grouping/random.ts';
import { adjustedRandIndex } from './adjusted-rand-index.ts';

const RUNS = 20;

/**
 * The baseline: k-means over plain TF-IDF of the words as they are written, with the true number of topics. The mean
 * index of runs with different beginnings.
 */
export function baselineIndex(texts: readonly string[], topics: readonly string[]): number {
  const documents = texts.map((text) => text.toLowerCase().match(/\p{L}+/gu) ?? []);
  const columns = new Map([...new Set(documents.flat())].map((word, index) => [word, index]));
  const frequencies = new Map<string, number>();
  for (const words of documents) {
    for (const word of new Set(words)) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  }
  const width = columns.size;
  const at = new Float64Array(documents.length * width);
  for (const [row, words] of documents.entries()) {
    for (const word of words) {
      const place = row * width + (columns.get(word) ?? 0);
      at[place] = (at[place] ?? 0) + Math.log(documents.length / (frequencies.get(word) ?? 1));
    }
    const own = at.subarray(row * width, (row + 1) * width);
    const length = Math.hypot(...own) || 1;
    for (const [index, value] of own.entries()) own[index] = value / length;
  }
  const groups = new Set(topics).size;
  const indexes = Array.from({ length: RUNS }, (_, run) =>
    adjustedRandIndex([...kMeans({ count: documents.length, width, at }, groups, randomFrom(run))], topics),
  );
  return indexes.reduce((sum, index) => sum + index, 0) / RUNS;
}
