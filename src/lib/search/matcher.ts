import type { Match } from './excerpt.ts';
import { fold } from './fold.ts';
import { partsOf } from './terms.ts';
import { type Token, tokensOf } from './tokens.ts';

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
  const wordIn = (token: Token, text: string): number | undefined => {
    const found = words.get(token.text);
    if (found !== undefined) return found;
    if (beginning !== undefined && fold(token.text).startsWith(beginning)) return prefix;
    const part = partsOf(text.slice(token.start, token.end)).find((word) => words.has(word));
    return part === undefined ? undefined : words.get(part);
  };
  return (text) =>
    tokensOf(text).flatMap((token): TermMatch[] => {
      if (token.isRun) return runsIn(token, runs);
      const term = wordIn(token, text);
      return term === undefined ? [] : [{ start: token.start, end: token.end, term }];
    });
}

/** If normalization changed the length of a run, the whole run is the match. */
function runsIn(token: Token, runs: readonly { text: string; term: number }[]): TermMatch[] {
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
