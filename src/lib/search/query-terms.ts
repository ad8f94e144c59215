import { fold } from './fold.ts';
import { identifiersOf } from './identifiers.ts';
import { wholeTitle } from './page-terms.ts';
import { versionNumber, wordParts } from './terms.ts';
import { type SearchToken, searchTokens } from './tokens.ts';

/** A term of a query. */
export interface QueryTerm {
  text: string;
  folded: string;
  isRun: boolean;
  /** Whether it is the last word of the query, which may be incomplete. */
  isLast: boolean;
  /** The parts of a name in camel case, which match in its place. */
  parts: readonly string[];
  /** Other ways to write it: `7` for `v7`, and `nodejs` for both words of `node.js`. */
  variants: readonly string[];
}

/** Requirements of a query beyond its single terms. */
export interface QueryShape {
  /** The query as the whole title of a page. */
  whole: string;
  /** The words and runs in order, with repetitions. */
  sequence: readonly { text: string; isRun: boolean }[];
  /**
   * Names of several words, options of commands, and a single word in camel case, as the index has them. Each with all
   * ways to write it.
   */
  identifiers: readonly (readonly string[])[];
  /** Whether there is nothing else in the query. */
  isIdentifier: boolean;
}

/** Further terms of a query are ignored. */
const MAX_QUERY_TERMS = 10;
const MAX_RUN = 24;

const textOf = ({ text, isRun }: SearchToken) => (isRun ? [...text].slice(0, MAX_RUN).join('') : text);

/** The distinct words and runs of a query. Anything else (operators, wildcards, quotes) is ignored. */
export function queryTerms(query: string): QueryTerm[] {
  const tokens = searchTokens(query);
  const last = tokens.at(-1);
  const joined = joinedNames(tokens, query);
  const terms = new Map<string, QueryTerm>();
  for (const [index, token] of tokens.entries()) {
    const { isRun } = token;
    const text = textOf(token);
    const isLast = !isRun && token.text === last?.text;
    const parts = isRun ? [] : wordParts(query.slice(token.start, token.end));
    const variants = [versionNumber(token.text), joined.get(index)].filter((each) => each !== undefined);
    if (terms.size < MAX_QUERY_TERMS && !terms.has(text)) {
      terms.set(text, { text, folded: fold(text), isRun, isLast, parts, variants });
    }
  }
  return [...terms.values()];
}

/** The names of a query that can be one word, by the indexes of their tokens. */
const joinedNames = (tokens: readonly SearchToken[], query: string): ReadonlyMap<number, string> =>
  new Map(
    identifiersOf(tokens, query).flatMap(({ joined, from }) =>
      joined === undefined ? [] : [[from, joined] as const, [from + 1, joined] as const],
    ),
  );

/** The order of the words of a query, and the names in it. */
export function queryShape(query: string): QueryShape {
  const tokens = searchTokens(query);
  const sequence = tokens.slice(0, MAX_QUERY_TERMS).map((token) => ({ text: textOf(token), isRun: token.isRun }));
  const [only] = queryTerms(query);
  if (tokens.length === 1 && only && only.parts.length > 0) {
    return { whole: only.folded, sequence, identifiers: [[only.text]], isIdentifier: true };
  }
  const names = identifiersOf(tokens, query).slice(0, MAX_QUERY_TERMS);
  // Of an option, the term with its hyphens follows the one without.
  const identifiers = names.filter(({ from }, index) => names[index + 1]?.from !== from);
  return {
    whole: wholeTitle(query),
    sequence,
    identifiers: identifiers.map(({ term, joined }) => (joined === undefined ? [term] : [term, joined])),
    isIdentifier:
      identifiers.length > 0 && identifiers.reduce((sum, { from, to }) => sum + to - from, 0) === tokens.length,
  };
}
