import { termsOf } from './terms.ts';
import { tokensOf } from './tokens.ts';

/** The text of a page by part. */
export interface PageText {
  title: string;
  description: string;
  sections: readonly { title: string | null; body: string }[];
}

/**
 * The parts of a page that contain a term. `prominent` has the most frequent terms of the body, `anywhere` has all terms,
 * so that an index can rank matches by membership alone.
 */
export const FIELDS = ['title', 'heading', 'description', 'prominent', 'anywhere'] as const;

export type Field = (typeof FIELDS)[number];

export interface PageTerms {
  fields: Record<Field, ReadonlySet<string>>;
  /** The terms that are words, not grams of runs. */
  words: ReadonlySet<string>;
  /** Number of words and runs of the page. */
  length: number;
}

/** Limits per page. Further terms are not indexed. A `tsvector` of PostgreSQL holds at most one megabyte. */
const MAX_TERMS = 20_000;
const MAX_BYTES = 300_000;
/** Bounds the time that a page blocks the event loop. */
const MAX_CHARACTERS = 500_000;

const MAX_PROMINENT = 30;
const MIN_TIMES = 3;

/** The terms that a page is found by. */
export function pageTerms({ title, description, sections }: PageText): PageTerms {
  const reader = new TermReader();
  const inTitle = reader.read(title);
  const inHeadings = sections.map((section) => reader.read(section.title ?? ''));
  const inDescription = reader.read(description);
  const times = new Map<string, number>();
  for (const { body } of sections) for (const term of reader.read(body)) times.set(term, (times.get(term) ?? 0) + 1);
  return {
    fields: {
      title: new Set(inTitle),
      heading: new Set(inHeadings.flat()),
      description: new Set(inDescription),
      prominent: new Set(mostFrequent(times)),
      anywhere: reader.terms,
    },
    words: reader.words,
    length: reader.length,
  };
}

class TermReader {
  readonly terms = new Set<string>();
  readonly words = new Set<string>();
  length = 0;
  #bytes = 0;
  #left = MAX_CHARACTERS;

  /** The terms of a text in order, with repetitions, except for those beyond the limits. */
  read(whole: string): string[] {
    const text = whole.slice(0, this.#left);
    this.#left -= text.length;
    return tokensOf(text).flatMap((token) => {
      this.length++;
      const terms = termsOf(token, text).filter((term) => this.#keep(term));
      if (!token.isRun) for (const term of terms) this.words.add(term);
      return terms;
    });
  }

  #keep(term: string): boolean {
    if (this.terms.has(term)) return true;
    const bytes = this.#bytes + term.length * 3;
    if (this.terms.size >= MAX_TERMS || bytes > MAX_BYTES) return false;
    this.#bytes = bytes;
    this.terms.add(term);
    return true;
  }
}

function mostFrequent(times: ReadonlyMap<string, number>): string[] {
  return [...times]
    .filter(([, count]) => count >= MIN_TIMES)
    .toSorted(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .slice(0, MAX_PROMINENT)
    .map(([term]) => term);
}
