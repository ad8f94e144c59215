import type { Field } from '../../../lib/search/page-terms.ts';
import { lexeme, organizationKey, spaceLexeme } from '../../store/search-index/index.ts';
import { isPrefix, type Term } from './read-terms.ts';

/** Number of levels of relevance. */
export const LEVELS = 8;

/**
 * The levels of relevance, best first, each as a condition on the index (`tsquery`): all terms in the title as written;
 * all in the title in any form; some in the title and the others anywhere; the same for headings and the description;
 * all among the most frequent words; all anywhere. An empty condition matches nothing. `within` limits the spaces of the
 * index entries; empty for no limit.
 */
export function levelsOf(organizationId: string, terms: readonly Term[], within: readonly string[]): string[] {
  const key = organizationKey(organizationId);
  const levels = conditionsOf(key, terms);
  if (within.length === 0) return levels;
  const spaces = oneOf(within.map((spaceId) => spaceLexeme(key, spaceId)));
  return levels.map((level) => allOf([spaces, level]));
}

function conditionsOf(key: string, terms: readonly Term[]): string[] {
  const exact = (field: Field) => (term: Term) => condition(key, field, term, 'exact');
  const any = (field: Field) => (term: Term) => condition(key, field, term, 'forms');
  const anywhere = allOf(terms.map((term) => oneOf([any('anywhere')(term), ...beginnings(key, term)])));
  const someIn = (field: Field) => allOf([oneOf(terms.map(any(field))), anywhere]);
  const several = terms.length > 1;
  return [
    allOf(terms.map(exact('title'))),
    allOf(terms.map(any('title'))),
    several ? someIn('title') : '',
    allOf(terms.map(any('heading'))),
    several ? someIn('heading') : '',
    someIn('description'),
    allOf(terms.map(any('prominent'))),
    anywhere,
  ];
}

/** Fields with few words, where even prefixes of two letters match few entries. */
const SHORT: readonly Field[] = ['title', 'heading'];

function condition(key: string, field: Field, term: Term, which: 'exact' | 'forms'): string {
  if (term.isRun) return allOf(term.grams.map((gram) => lexeme(key, field, gram)));
  const entries = term[which].map((word) => lexeme(key, field, word));
  return oneOf(which === 'forms' ? [...entries, ...beginnings(key, term, [field])] : entries);
}

const beginnings = (key: string, term: Term, fields = SHORT) =>
  isPrefix(term)
    ? fields.filter((field) => SHORT.includes(field)).map((field) => `${lexeme(key, field, term.text)}:*`)
    : [];

/** Empty if one of the conditions cannot match. */
const allOf = (conditions: readonly string[]) => (conditions.includes('') ? '' : `(${conditions.join(' & ')})`);

function oneOf(conditions: readonly string[]): string {
  const possible = conditions.filter((each) => each !== '');
  return possible.length === 0 ? '' : `(${possible.join(' | ')})`;
}
