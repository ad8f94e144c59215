import { kMeans } from './k-means.ts';
import { firstOf, latentRows } from './latent.ts';
import { averageLinkage, type Similarities } from './linkage.ts';
import { randomFrom } from './random.ts';
import { meanOf, Nearest, type Vector } from './vectors.ts';

/**
 * Documents that are compared with each other at once; time and memory are quadratic. Further ones join the nearest
 * group.
 */
const MAX_SAMPLE = 2_000;

/** With fewer documents, their vectors are compared directly. */
const FEW_DOCUMENTS = 40;
const FEW_THRESHOLD = 0.12;

/** Numbers of directions and of groups that are tried, as multiples of the square root of the number of documents. */
const DIRECTIONS = [1.15, 1.7, 2.3];
const GROUPS = [1.45, 2.3];

/** Repetitions with other beginnings, of many and of few documents. */
const RUNS = { many: 3, few: 6 };
const MANY_DOCUMENTS = 500;

/**
 * The share of groupings that have two documents together, on average between the documents of two groups that merge.
 */
const THRESHOLD = 0.3;

/** The least similarity (cosine) between two documents of a group, on average between two of its parts. */
const MIN_COHESION = 0.05;

/** The least similarity (cosine) of a member to the mean of its group. */
const MIN_FIT = 0.3;

/**
 * The least similarity (cosine) to the mean of a group with which a document joins it, by words and by the vectors of a
 * model. Vectors of a model are similar to some degree whatever the subjects are.
 */
export const MIN_SIMILARITY = { words: 0.2, model: 0.35 };

/**
 * Groups documents by their vectors. Many groupings by k-means in latent spaces of several widths vote on which
 * documents belong together (evidence accumulation, Fred and Jain 2005). The number of groups follows from the
 * documents. Returns groups of at least two documents, the largest first; documents without similar ones are in none.
 * Deterministic.
 */
export function group(
  vectors: readonly Vector[],
  { maxSample = MAX_SAMPLE, minSimilarity = MIN_SIMILARITY.words } = {},
): number[][] {
  const groups: number[][] = [];
  let pool = vectors.flatMap(({ buckets }, document) => (buckets.length > 0 ? [document] : []));
  // Each round takes seconds. Documents that are in no group by then have few similar ones.
  const maxRounds = 2 * Math.ceil(pool.length / maxSample);
  for (let round = 0; round < maxRounds && pool.length > 1; round++) {
    const sample = spread(pool, maxSample);
    const clusters = groupSample(sample, vectors);
    if (clusters.length === 0) break;
    const groupedDocuments = new Set(clusters.flat());
    const rest = pool.filter((document) => !groupedDocuments.has(document));
    const joined = new Set(pool.length > sample.length ? join(clusters, rest, vectors, minSimilarity) : []);
    groups.push(...clusters);
    pool = pool.length > sample.length ? rest.filter((document) => !joined.has(document)) : [];
    if (joined.size === 0 && pool.length > 0 && pool.length === rest.length) pool = pool.slice(0, -1);
  }
  return groups.toSorted((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0));
}

/** At most so many, evenly from all. */
function spread(documents: readonly number[], max: number): number[] {
  if (documents.length <= max) return [...documents];
  return Array.from({ length: max }, (_, index) => documents[Math.floor((index * documents.length) / max)] ?? 0);
}

function groupSample(sample: readonly number[], all: readonly Vector[]): number[][] {
  const vectors = sample.map((document) => all[document] ?? { buckets: [], weights: [] });
  const isFew = vectors.length < FEW_DOCUMENTS;
  const labels = averageLinkage(isFew ? cosines(vectors) : votes(vectors), isFew ? FEW_THRESHOLD : THRESHOLD);
  const byLabel = Map.groupBy(sample.keys(), (place) => labels[place]);
  return [...byLabel.values()]
    .flatMap((places) => coherentParts(places, vectors))
    .flatMap((places) => {
      const fitting = similarToMean(places, vectors);
      return fitting.length < 2 ? [] : [fitting.map((place) => sample[place] ?? 0)];
    });
}

/** K-means puts documents that are like no others together, where there are more topics than it makes groups. */
function coherentParts(places: readonly number[], vectors: readonly Vector[]): number[][] {
  const labels = averageLinkage(cosines(places.map((place) => vectors[place] ?? NOTHING)), MIN_COHESION);
  return [...Map.groupBy(places, (_, index) => labels[index]).values()];
}

/** The documents of a group that are similar to its mean. */
function similarToMean(places: readonly number[], vectors: readonly Vector[]): number[] {
  const own = places.map((place) => vectors[place] ?? { buckets: [], weights: [] });
  const nearest = new Nearest([meanOf(own)]);
  return places.filter((_, index) => (nearest.best(own[index] ?? NOTHING)?.similarity ?? 0) >= MIN_FIT);
}

const NOTHING: Vector = { buckets: [], weights: [] };

/** Adds documents to the groups whose means they are similar to. Returns those that were added. */
function join(
  groups: number[][],
  documents: readonly number[],
  vectors: readonly Vector[],
  minSimilarity: number,
): number[] {
  const nearest = new Nearest(groups.map((members) => meanOf(members.map((document) => vectors[document] ?? NOTHING))));
  return documents.filter((document) => {
    const best = nearest.best(vectors[document] ?? NOTHING);
    if (!best || best.similarity < minSimilarity) return false;
    groups[best.place]?.push(document);
    return true;
  });
}

function cosines(vectors: readonly Vector[]): Similarities {
  const count = vectors.length;
  const at = new Float32Array(count * count);
  const nearest = new Nearest(vectors);
  for (const [row, vector] of vectors.entries()) {
    for (const [column, similarity] of nearest.similarities(vector)) at[row * count + column] = similarity;
  }
  return { count, at };
}

/** The share of groupings that have two documents together. */
function votes(vectors: readonly Vector[]): Similarities {
  const count = vectors.length;
  const root = Math.sqrt(count);
  const widths = DIRECTIONS.map((factor) => Math.round(factor * root));
  const rows = latentRows(vectors, Math.max(...widths));
  const random = randomFrom(7);
  const at = new Float32Array(count * count);
  const runs = count > MANY_DOCUMENTS ? RUNS.many : RUNS.few;
  const share = 1 / (widths.length * GROUPS.length * runs);
  for (const width of widths) {
    const narrow = firstOf(rows, width);
    for (const factor of GROUPS) {
      for (let run = 0; run < runs; run++) vote(at, kMeans(narrow, Math.round(factor * root), random), share);
    }
  }
  return { count, at };
}

function vote(at: Float32Array, labels: Int32Array, share: number): void {
  const groups = Map.groupBy(labels.keys(), (item) => labels[item]);
  for (const members of groups.values()) {
    for (const row of members) {
      for (const column of members) at[row * labels.length + column] = (at[row * labels.length + column] ?? 0) + share;
    }
  }
}
