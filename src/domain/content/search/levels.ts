import { fold } from '../../../lib/search/fold.ts';
import type { Field } from '../../../lib/search/page-terms.ts';
import type { QueryShape } from '../../../lib/search/query-terms.ts';
import { gramsToFind } from '../../../lib/search/terms.ts';
import { lexeme, organizationKey, spaceLexeme } from '../../store/search-index/index.ts';
import { isPrefix, type Term } from './read-terms.ts';

/**
 * The levels of relevance, best first. Of names of several words (identifiers), the whole name matches before its parts
 * do. `partOfTitle` is for pages whose ancestors have the other words in their titles.
 */
export const LEVELS = [
  'wholeTitle',
  'identifiersInTitle',
  'exactInTitle',
  'allInTitle',
  'identifiersInHeading',
  'identifiersAnywhere',
  'allInHeading',
  'someInTitle',
  'someInHeading',
  'someInDescription',
  'allProminent',
  'allAnywhere',
  'partOfTitle',
] as const;

export type Level = (typeof LEVELS)[number];

/** A query as conditions on the index (`tsquery`). An empty condition matches nothing. */
export interface Conditions {
  levels: [level: Level, condition: string][];
  /** The words of the query next to each other. Null for a single word. */
  phrase: { anywhere: string; inTitle: string; inHeading: string } | null;
  /** All terms, to measure how close to each other they occur. */
  terms: string;
}

/** The conditions of a query. `within` limits the spaces of the index entries; empty for no limit. */
export function conditionsOf(
  organizationId: string,
  { terms, shape }: { terms: readonly Term[]; shape: QueryShape },
  within: readonly string[],
): Conditions {
  const key = organizationKey(organizationId);
  const levels = levelsOf(key, terms, shape);
  const spaces = oneOf(within.map((spaceId) => spaceLexeme(key, spaceId)));
  const inSpaces = (condition: string) => (within.length === 0 ? condition : allOf([spaces, condition]));
  return {
    levels: LEVELS.flatMap((level): Conditions['levels'] =>
      levels[level] === '' ? [] : [[level, inSpaces(levels[level])]],
    ),
    phrase: phraseOf(key, terms, shape),
    terms: oneOf(terms.map((term) => nearby(key, term))),
  };
}

function levelsOf(key: string, terms: readonly Term[], shape: QueryShape): Record<Level, string> {
  const exact = (field: Field) => (term: Term) => condition(key, field, term, 'exact');
  const any = (field: Field) => (term: Term) => condition(key, field, term, 'forms');
  const anywhere = allOf(terms.map((term) => oneOf([any('anywhere')(term), ...beginnings(key, term)])));
  const someIn = (field: Field) => allOf([oneOf(terms.map(any(field))), anywhere]);
  const several = terms.length > 1;
  const named = (field: Field) => identified(key, field, shape, anywhere);
  return {
    wholeTitle: shape.whole === '' ? '' : lexeme(key, 'whole', shape.whole),
    identifiersInTitle: named('title'),
    exactInTitle: allOf(terms.map(exact('title'))),
    allInTitle: allOf(terms.map(any('title'))),
    identifiersInHeading: named('heading'),
    identifiersAnywhere: named('anywhere'),
    allInHeading: allOf(terms.map(any('heading'))),
    someInTitle: several ? someIn('title') : '',
    someInHeading: several ? someIn('heading') : '',
    someInDescription: someIn('description'),
    allProminent: allOf(terms.map(any('prominent'))),
    allAnywhere: anywhere,
    partOfTitle: several ? oneOf(terms.map(any('title'))) : '',
  };
}

/** All names of several words in a field as a whole, and the other terms anywhere. */
const identified = (key: string, field: Field, { identifiers }: QueryShape, anywhere: string) =>
  identifiers.length === 0 ? '' : allOf([...identifiers.map(({ term }) => lexeme(key, field, term)), anywhere]);

/** Fields with few words, where even prefixes of two letters match few entries. */
const SHORT: readonly Field[] = ['title', 'heading'];

function condition(key: string, field: Field, term: Term, which: 'exact' | 'forms'): string {
  if (term.isRun) return allOf(term.grams.map((gram) => lexeme(key, field, gram)));
  const entries = term[which].map((word) => lexeme(key, field, word));
  if (which === 'exact') return oneOf(entries);
  const parts = term.parts.length === 0 ? '' : allOf(term.parts.map((part) => lexeme(key, field, part)));
  return oneOf([...entries, ...beginnings(key, term, [field]), parts]);
}

const beginnings = (key: string, term: Term, fields = SHORT) =>
  isPrefix(term)
    ? fields.filter((field) => SHORT.includes(field)).map((field) => `${lexeme(key, field, term.text)}:*`)
    : [];

/** Further forms of a word say little about where it occurs. */
const NEAR_FORMS = 3;

const nearby = (key: string, term: Term) =>
  oneOf((term.isRun ? term.grams : term.forms.slice(0, NEAR_FORMS)).map((word) => lexeme(key, 'anywhere', word)));

/** The words of the query in order, stop words included, as the positions of the index have them. */
function phraseOf(key: string, terms: readonly Term[], { sequence }: QueryShape): Conditions['phrase'] {
  const known = new Map(terms.map((term) => [term.text, term]));
  const words = sequence.flatMap(({ text, isRun }) => {
    if (isRun) return gramsToFind(text, { isOrdered: true }).map((gram) => [gram]);
    const exact = known.get(text)?.exact ?? [];
    return [exact.length > 0 ? exact : [...new Set([text, fold(text)])]];
  });
  if (words.length < 2) return null;
  const inPart = (label: string) =>
    `(${words.map((forms) => oneOf(forms.map((word) => `${lexeme(key, 'anywhere', word)}${label}`))).join(' <-> ')})`;
  return { anywhere: inPart(''), inTitle: inPart(':A'), inHeading: inPart(':B') };
}

/** Empty if one of the conditions cannot match. */
const allOf = (conditions: readonly string[]) => (conditions.includes('') ? '' : `(${conditions.join(' & ')})`);

function oneOf(conditions: readonly string[]): string {
  const possible = conditions.filter((each) => each !== '');
  return possible.length === 0 ? '' : `(${possible.join(' | ')})`;
}
