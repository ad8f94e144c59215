import { fold } from './fold.ts';
import { tokensOf } from './tokens.ts';

/** A term of a query. */
export interface QueryTerm {
  text: string;
  folded: string;
  isRun: boolean;
  /** Whether it is the last word of the query, which may be incomplete. */
  isLast: boolean;
}

/** Further terms of a query are ignored. */
const MAX_QUERY_TERMS = 10;
const MAX_RUN = 24;

/** The distinct words and runs of a query. Anything else (operators, wildcards, quotes) is ignored. */
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
