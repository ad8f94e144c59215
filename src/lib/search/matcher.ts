import type { Match } from './excerpt.ts';
import { fold } from './fold.ts';
import { wordParts } from './terms.ts';
import { MAX_WORD, type SearchToken, searchTokens } from './tokens.ts';

/** A term of a query to find in texts. */
export interface MatchedTerm {
  text: string;
  folded: string;
  isRun: boolean;
  /** Words that match the term. */
  forms: readonly string[];
  /** Whether words that begin with the term match too. */
  isPrefix: boolean;
}

/** A match with the index of its term. */
export interface TermMatch extends Match {
  term: number;
}

/** Finds terms in a text, in reading order: whole words, and runs within runs. */
export type Matcher = (text: string) => TermMatch[];

export function matcherOf(terms: readonly MatchedTerm[]): Matcher {
  const words = new Map<string, number>();
  terms.forEach(({ isRun, forms }, term) => {
    if (!isRun) for (const form of forms) if (!words.has(form)) words.set(form, term);
  });
  const runs = terms.flatMap(({ isRun, text }, term) => (isRun ? [{ text, term }] : []));
  const prefix = terms.findIndex(({ isPrefix }) => isPrefix);
  const beginning = terms[prefix]?.folded;
  const wordIn = (token: SearchToken, text: string): number | undefined => {
    const index = words.get(token.text);
    if (index !== undefined) return index;
    if (beginning !== undefined && fold(token.text).startsWith(beginning)) return prefix;
    const part = wordParts(text.slice(token.start, token.end)).find((word) => words.has(word));
    return part === undefined ? undefined : words.get(part);
  };
  const beginsOther = otherWords([...words.keys(), beginning ?? '']);
  return (text) => {
    const matches: TermMatch[] = [];
    for (const token of searchTokens(text, (start, end, isRun) => !isRun && beginsOther(text, start, end))) {
      if (token.start < (matches.at(-1)?.end ?? 0)) continue;
      if (token.isRun) {
        matches.push(...runsIn(token, runs));
        continue;
      }
      const term = wordIn(token, text);
      const match = term === undefined ? joinedIn(token, text, words) : { start: token.start, end: token.end, term };
      if (match) matches.push(match);
    }
    return matches;
  };
}

const SECOND = /^[.-](\p{L}+)(?![\p{L}\p{N}])/u;

/** Two words that are one in the query, such as `node.js` for `nodejs`. */
function joinedIn(first: SearchToken, text: string, words: ReadonlyMap<string, number>): TermMatch | undefined {
  const second = SECOND.exec(text.slice(first.end, first.end + MAX_WORD + 2));
  const term = second?.[1] === undefined ? undefined : words.get(fold(first.text + second[1].toLowerCase()));
  return second && term !== undefined ? { start: first.start, end: first.end + second[0].length, term } : undefined;
}

/**
 * Whether a word of a text begins with another letter than all given words, and has neither capitals, which can begin a
 * part, nor letters that fold to others, and is no version. Most words of a text do, and are not made.
 */
function otherWords(words: readonly string[]): (text: string, start: number, end: number) => boolean {
  const first = new Set(words.map((word) => word.charCodeAt(0)));
  return (text, start, end) => {
    const letter = lowerCase(text.charCodeAt(start));
    if (first.has(letter) || (letter === V && isDigit(text.charCodeAt(start + 1)))) return false;
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code > 0x7f || (at > start && isCapital(code))) return false;
    }
    return true;
  };
}

const V = 0x76;

const isDigit = (code: number) => code >= 0x30 && code <= 0x39;

const isCapital = (code: number) => code >= 0x41 && code <= 0x5a;

const lowerCase = (code: number) => (isCapital(code) ? code + 0x20 : code);

/** If normalization changed the length of a run, the whole run is the match. */
function runsIn(token: SearchToken, runs: readonly { text: string; term: number }[]): TermMatch[] {
  const isExact = token.text.length === token.end - token.start;
  const matches = runs.flatMap(({ text, term }) => {
    const places: TermMatch[] = [];
    for (let at = token.text.indexOf(text); at >= 0; at = token.text.indexOf(text, at + text.length)) {
      const start = token.start + at;
      places.push(isExact ? { start, end: start + text.length, term } : { start: token.start, end: token.end, term });
      if (!isExact) break;
    }
    return places;
  });
  return matches.toSorted((a, b) => a.start - b.start);
}
