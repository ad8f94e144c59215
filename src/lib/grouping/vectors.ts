/** A vector of length 1, or 0 for text without features. Buckets are in ascending order. */
export interface Vector {
  buckets: readonly number[];
  weights: readonly number[] | Float32Array;
}

/** A vector that can be stored as JSON. */
export interface StoredVector extends Vector {
  weights: readonly number[];
}

/** Frequencies of features in a document. Features are hashed to buckets. */
export type Counts = ReadonlyMap<number, number>;

/** A document to compare. */
export interface Counted {
  counts: Counts;
  language: string | null;
}

/** Documents in one language: their number, and how many of them have each feature. */
interface InLanguage {
  documents: number;
  byBucket: Map<number, number>;
}

/** Number of buckets. Features of different text rarely share one. */
const BUCKETS = 2 ** 18;

/** Characters of an n-gram, and the weight of all n-grams of a word relative to the word. */
const GRAM_CHARACTERS = 4;
const GRAM_WEIGHT = 1;

/** The weight of a concept relative to a word: it is less ambiguous. */
const CONCEPT_WEIGHT = 1.5;

/**
 * The features of a document: its terms, n-grams of their characters, which words of related forms share, and its
 * concepts (`concepts.ts`), which different words for the same share.
 */
export function featureCounts(terms: readonly string[], concepts: readonly string[] = []): Counts {
  const counts = new Map<number, number>();
  const add = (feature: string, weight: number) => {
    const bucket = hashOf(feature) % BUCKETS;
    counts.set(bucket, (counts.get(bucket) ?? 0) + weight);
  };
  for (const term of terms) {
    add(` ${term}`, 1);
    const framed = `^${term}$`;
    const grams = Math.max(1, framed.length - GRAM_CHARACTERS + 1);
    for (let at = 0; at + GRAM_CHARACTERS <= framed.length; at++) {
      add(framed.slice(at, at + GRAM_CHARACTERS), GRAM_WEIGHT / Math.sqrt(grams));
    }
  }
  for (const concept of concepts) add(`=${concept}`, CONCEPT_WEIGHT);
  return counts;
}

/** FNV-1a in 32 bits over UTF-16 code units (Fowler, Noll, Vo), without a sign. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** Frequencies as JSON. The key of documents in no known language is empty. */
export type StoredFrequencies = Record<string, { documents: number; buckets: number[]; counts: number[] }>;

/**
 * Weights of features by TF-IDF. How rare a feature is follows from the documents in the same language, so that the
 * common words of a language with few documents do not tie them together.
 */
export class Frequencies {
  readonly #languages = new Map<string, InLanguage>();
  readonly #everywhere: InLanguage = { documents: 0, byBucket: new Map() };

  /** The frequencies of documents, and those that were stored. */
  static of(documents: readonly Counted[], stored: StoredFrequencies = {}): Frequencies {
    const frequencies = new Frequencies();
    for (const [language, { documents: count, buckets, counts }] of Object.entries(stored)) {
      frequencies.#add(language, count, buckets, (index) => counts[index] ?? 0);
    }
    for (const { counts, language } of documents) {
      frequencies.#add(language ?? '', 1, [...counts.keys()], () => 1);
    }
    return frequencies;
  }

  /** Features of a single document are left out. */
  stored(): StoredFrequencies {
    const entries = [...this.#languages].map(([language, { documents, byBucket }]) => {
      const shared = [...byBucket].filter(([bucket]) => this.#isShared(bucket));
      return [
        language,
        { documents, buckets: shared.map(([bucket]) => bucket), counts: shared.map(([, count]) => count) },
      ] as const;
    });
    return Object.fromEntries(entries);
  }

  /** The vector of a document. Features of a single document are left out, because they do not distinguish others. */
  vectorOf({ counts, language }: Counted): Vector {
    const { documents, byBucket } = this.#languages.get(language ?? '') ?? this.#everywhere;
    const scale = Math.log(this.#everywhere.documents + 1) / Math.log(documents + 1);
    const entries: [bucket: number, weight: number][] = [];
    for (const [bucket, count] of counts) {
      if (!this.#isShared(bucket)) continue;
      const tf = count > 1 ? 1 + Math.log(count) : count;
      const weight = tf * scale * Math.max(0, Math.log((documents + 1) / ((byBucket.get(bucket) ?? 0) + 0.5)));
      if (weight > 0) entries.push([bucket, weight]);
    }
    return normalized(entries);
  }

  #isShared(bucket: number): boolean {
    return (this.#everywhere.byBucket.get(bucket) ?? 0) > 1;
  }

  #add(language: string, documents: number, buckets: readonly number[], countAt: (index: number) => number): void {
    const languageFrequencies = this.#languages.get(language) ?? { documents: 0, byBucket: new Map() };
    this.#languages.set(language, languageFrequencies);
    for (const frequencies of [languageFrequencies, this.#everywhere]) {
      frequencies.documents += documents;
      for (const [index, bucket] of buckets.entries()) {
        frequencies.byBucket.set(bucket, (frequencies.byBucket.get(bucket) ?? 0) + countAt(index));
      }
    }
  }
}

function normalized(entries: [bucket: number, weight: number][]): StoredVector {
  const length = Math.sqrt(entries.reduce((sum, [, weight]) => sum + weight * weight, 0));
  const sorted = entries.toSorted(([a], [b]) => a - b);
  return { buckets: sorted.map(([bucket]) => bucket), weights: sorted.map(([, weight]) => weight / length) };
}

/** Features of a mean that are kept. */
const MAX_FEATURES = 512;

/** The mean of vectors, scaled to length 1, with its heaviest features. */
export function meanOf(vectors: readonly Vector[]): StoredVector {
  const sums = new Map<number, number>();
  for (const { buckets, weights } of vectors) {
    for (const [index, bucket] of buckets.entries()) sums.set(bucket, (sums.get(bucket) ?? 0) + (weights[index] ?? 0));
  }
  const heaviest = [...sums].toSorted(([a, x], [b, y]) => Math.abs(y) - Math.abs(x) || a - b).slice(0, MAX_FEATURES);
  return normalized(heaviest);
}

/** Finds the most similar of many vectors. */
export class Nearest {
  readonly #entries = new Map<number, { places: number[]; weights: number[] }>();
  /** Similarities to the vector that is compared, zero outside of a comparison. */
  readonly #sums: Float64Array;

  constructor(vectors: readonly Vector[]) {
    this.#sums = new Float64Array(vectors.length);
    for (const [place, { buckets, weights }] of vectors.entries()) {
      for (const [index, bucket] of buckets.entries()) {
        const entry = this.#entries.get(bucket) ?? { places: [], weights: [] };
        if (entry.places.length === 0) this.#entries.set(bucket, entry);
        entry.places.push(place);
        entry.weights.push(weights[index] ?? 0);
      }
    }
  }

  /** The similarity (cosine) to each vector that has a feature in common. */
  similarities({ buckets, weights }: Vector): Map<number, number> {
    const result = new Map<number, number>();
    const sums = this.#sums;
    for (const [index, bucket] of buckets.entries()) {
      const weight = weights[index] ?? 0;
      const entries = this.#entries.get(bucket);
      if (!entries) continue;
      for (let at = 0; at < entries.places.length; at++) {
        const place = entries.places[at] ?? 0;
        if (sums[place] === 0) result.set(place, 0);
        sums[place] = (sums[place] ?? 0) + weight * (entries.weights[at] ?? 0);
      }
    }
    for (const place of result.keys()) {
      result.set(place, sums[place] ?? 0);
      sums[place] = 0;
    }
    return result;
  }

  /** The most similar vector, the first one of equals. */
  best(vector: Vector): { place: number; similarity: number } | undefined {
    let best: { place: number; similarity: number } | undefined;
    for (const [place, similarity] of this.similarities(vector)) {
      const isBetter = !best || similarity > best.similarity || (similarity === best.similarity && place < best.place);
      if (isBetter) best = { place, similarity };
    }
    return best;
  }
}
