import { fold } from './fold.ts';
import { identifiersOf } from './identifiers.ts';
import { termsOf, versionNumber } from './terms.ts';
import { type SearchToken, searchTokens } from './tokens.ts';

/** The text of a page by part. */
export interface PageParts {
  title: string;
  description: string;
  sections: readonly { title: string | null; body: string }[];
}

/**
 * The parts of a page that contain a term. `whole` has the whole title as one term, `prominent` has the most frequent
 * terms of the body, `anywhere` has all terms, so that an index can rank matches only by membership.
 */
export const FIELDS = ['whole', 'title', 'heading', 'description', 'prominent', 'anywhere'] as const;

export type PageField = (typeof FIELDS)[number];

/** Where a term occurs: its position on the page, and the label of the part as in a `tsvector` (A is the title). */
export type TermPosition = `${number}${Label}`;

type Label = 'A' | 'B' | 'C' | 'D';

export interface PageTerms {
  fields: Record<PageField, ReadonlySet<string>>;
  /** The places of words and of pairs of characters, in order, from 1. */
  places: ReadonlyMap<string, readonly TermPosition[]>;
  /** The terms that are words, not names of several words or grams of runs. */
  words: ReadonlySet<string>;
  /** Number of words and runs of the page. */
  length: number;
}

/** Limits per page. Further terms are not indexed. A `tsvector` of PostgreSQL holds at most one megabyte. */
const MAX_TERMS = 20_000;
const MAX_BYTES = 300_000;
/** Bounds the time that a page blocks the event loop. */
const MAX_CHARACTERS = 500_000;
/** Limits of a `tsvector`. */
const MAX_PLACE = 16_000;
const MAX_PLACES = 250;

/** Positions between parts, so that no phrase goes from one part to the next. */
const POSITIONS_BETWEEN_PARTS = 3;

const MAX_PROMINENT = 30;
const MIN_TIMES = 3;

const MAX_WHOLE_TITLE = 200;

/** A whole title as one term: its words, folded, and versions without their `v`. Queries are compared with it. */
export const wholeTitle = (title: string) =>
  searchTokens(title.slice(0, MAX_WHOLE_TITLE))
    .map(({ text }) => versionNumber(text) ?? fold(text))
    .join(' ');

/** The terms that a page is found by. */
export function pageTerms({ title, description, sections }: PageParts): PageTerms {
  const reader = new TermReader();
  const inTitle = reader.read(title, 'A');
  const inHeadings = sections.map((section) => reader.read(section.title ?? '', 'B'));
  const inDescription = reader.read(description, 'C');
  const times = new Map<string, number>();
  for (const { body } of sections)
    for (const term of reader.read(body, 'D')) times.set(term, (times.get(term) ?? 0) + 1);
  const fullTitle = wholeTitle(title);
  return {
    fields: {
      whole: new Set(fullTitle === '' ? [] : [fullTitle]),
      title: new Set(inTitle),
      heading: new Set(inHeadings.flat()),
      description: new Set(inDescription),
      prominent: new Set(mostFrequent(times)),
      anywhere: reader.terms,
    },
    places: reader.places,
    words: reader.words,
    length: reader.length,
  };
}

class TermReader {
  readonly terms = new Set<string>();
  readonly words = new Set<string>();
  readonly places = new Map<string, TermPosition[]>();
  length = 0;
  #bytes = 0;
  #remaining = MAX_CHARACTERS;
  #place = 1;

  /** The terms of a text in order, with repetitions, except for those beyond the limits. */
  read(source: string, label: Label): string[] {
    const text = source.slice(0, this.#remaining);
    this.#remaining -= text.length;
    const tokens = searchTokens(text);
    const terms = tokens.flatMap((token) => this.#readToken(token, text, label));
    for (const { term, joined } of identifiersOf(tokens, text)) {
      if (this.#keep(term)) terms.push(term);
      if (joined === undefined || !this.#keep(joined)) continue;
      terms.push(joined);
      this.words.add(joined);
    }
    this.#place += POSITIONS_BETWEEN_PARTS;
    return terms;
  }

  #readToken(token: SearchToken, text: string, label: Label): string[] {
    this.length++;
    const terms = termsOf(token, text).filter((term) => this.#keep(term));
    if (token.isRun) this.#placeRun(token.text, label);
    else {
      for (const term of terms) this.words.add(term);
      for (const term of terms) this.#setPlace(term, label);
      this.#place++;
    }
    return terms;
  }

  /** Pairs of characters have places; single characters are in too many to be worth it. */
  #placeRun(run: string, label: Label): void {
    const characters = [...run];
    for (const [index, character] of characters.entries()) {
      const next = characters[index + 1];
      if (next !== undefined) this.#setPlace(character + next, label);
      this.#place++;
    }
  }

  #setPlace(term: string, label: Label): void {
    if (this.#place > MAX_PLACE || !this.terms.has(term)) return;
    const places = this.places.get(term);
    if (places === undefined) this.places.set(term, [`${this.#place}${label}`]);
    else if (places.length < MAX_PLACES) places.push(`${this.#place}${label}`);
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
