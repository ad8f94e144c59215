import type { Field } from '../../../lib/search/page-terms.ts';
import { lexeme, organizationKey, spaceLexeme } from '../../store/search-index/index.ts';
import { isPrefix, type Term } from './read-terms.ts';

/** How many ways to match there are, from the best to the least. */
export const LEVELS = 8;

/**
 * Ways in which a page answers terms, best first, each as a condition on the index (`tsquery`): all in its title as they
 * were written, all in its title, some there and the others anywhere, the same with headings and description, all among
 * what it says most, all anywhere. Empty where nothing can match. `within` are spaces that entries must be made for; none:
 * any.
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

/** Fields with few words, where all words with a beginning, even of two letters, can be looked at. */
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

/** Nothing, if one of them can not be met. */
const allOf = (conditions: readonly string[]) => (conditions.includes('') ? '' : `(${conditions.join(' & ')})`);

function oneOf(conditions: readonly string[]): string {
  const possible = conditions.filter((each) => each !== '');
  return possible.length === 0 ? '' : `(${possible.join(' | ')})`;
}
