import { fold } from './fold.ts';
import { tokensOf } from './tokens.ts';

/** One thing that a query asks for. */
export interface QueryTerm {
  text: string;
  folded: string;
  isRun: boolean;
  /** The last word of a query is perhaps not written to its end. */
  isLast: boolean;
}

/** Beyond these, a query says nothing more that would help to find a page. */
const MAX_QUERY_TERMS = 10;
const MAX_RUN = 24;

/** What a query asks for: its words and runs, each once. Everything else in it (operators, wildcards, quotes) says nothing. */
export function queryTerms(query: string): QueryTerm[] {
  const tokens = tokensOf(query);
  const last = tokens.at(-1);
  const terms = new Map<string, QueryTerm>();
  for (const { text: whole, isRun } of tokens) {
    const text = isRun ? [...whole].slice(0, MAX_RUN).join('') : whole;
    const isLast = !isRun && whole === last?.text;
    if (terms.size < MAX_QUERY_TERMS) terms.set(text, { text, folded: fold(text), isRun, isLast });
  }
  return [...terms.values()];
}
