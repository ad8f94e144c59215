import { type Counted, Frequencies, meanOf, Nearest, type Vector } from '../../../src/lib/grouping/vectors.ts';
import { adjustedRandIndex } from './adjusted-rand-index.ts';

const NOTHING: Vector = { buckets: [], weights: [] };

/**
 * What the same vectors reach with the topics of all other questions known: each question joins the topic whose other
 * questions it is most similar to. Grouping, which knows no topics, can hardly reach more.
 */
export function supervisedIndex(documents: readonly Counted[], topics: readonly string[]): number {
  const frequencies = Frequencies.of(documents);
  const vectors = documents.map((document) => frequencies.vectorOf(document));
  const names = [...new Set(topics)];
  const found = vectors.map((vector, index) => {
    const means = names.map((name) =>
      meanOf(vectors.filter((_, other) => other !== index && topics[other] === name).map((each) => each ?? NOTHING)),
    );
    return names[new Nearest(means).best(vector)?.place ?? 0];
  });
  return adjustedRandIndex(found, topics);
}
