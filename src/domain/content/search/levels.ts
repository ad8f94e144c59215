import { fold } from '../../../lib/search/fold.ts';
import type { PageField } from '../../../lib/search/page-terms.ts';
import type { QueryShape } from '../../../lib/search/query-terms.ts';
import { gramsToFind } from '../../../lib/search/terms.ts';
import { lexeme, organizationKey, spaceLexeme } from '../../store/search-index/index.ts';
import { type FoundTerm, isPrefix } from './read-terms.ts';

/**
 * The levels of relevance, best first. A query that is a name of several words (an identifier) matches as a whole
 * before its words do, and a word in camel case before its parts do.
 */
export const LEVELS = [
  'wholeTitle',
  /** The query consists of the whole title and words from the titles of ancestors. */
  'titleBelowAncestors',
  'identifiersInTitle',
  'identifiersInHeading',
  'identifiersAnywhere',
  'phraseInTitle',
  'exactInTitle',
  'allInTitle',
  /** The titles of ancestors have the words that are missing in the title. */
  'allInTitles',
  'phraseInHeading',
  'phraseInBody',
  /** The words are in the order of the query, but with other words in place of its stop words. */
  'looselyInOrder',
  'identifiersAmongOthers',
  'allInHeading',
  'someInTitle',
  'partOfTitle',
  'someInHeading',
  'someInDescription',
  'allProminent',
  'allAnywhere',
  'partsAnywhere',
] as const;

export type Level = (typeof LEVELS)[number];

/** Levels that the index finds. `partOfTitle` is for pages whose ancestors may have the other words in their titles. */
export type IndexLevel = Exclude<
  Level,
  'titleBelowAncestors' | 'phraseInTitle' | 'allInTitles' | 'phraseInHeading' | 'phraseInBody' | 'looselyInOrder'
>;

/** A query as conditions on the index (`tsquery`). An empty condition matches nothing. */
export interface Conditions {
  levels: [level: IndexLevel, condition: string][];
  /** The words of the query next to each other. Null for a single word. */
  phrase: { exactly: string; anywhere: string; inTitle: string; inHeading: string } | null;
  /** All terms, to measure how close to each other they occur. */
  terms: string;
}

/** The conditions of a query. `within` limits the spaces of the index entries; empty for no limit. */
export function conditionsOf(
  organizationId: string,
  { terms, shape }: { terms: readonly FoundTerm[]; shape: QueryShape },
  within: readonly string[],
): Conditions {
  const key = organizationKey(organizationId);
  const levels = levelsOf(key, terms, shape);
  const spaces = oneOf(within.map((spaceId) => spaceLexeme(key, spaceId)));
  const inSpaces = (condition: string) => (within.length === 0 ? condition : allOf([spaces, condition]));
  return {
    levels: levels.flatMap(([level, condition]): Conditions['levels'] =>
      condition === '' ? [] : [[level, inSpaces(condition)]],
    ),
    phrase: phraseOf(key, terms, shape),
    terms: oneOf(terms.map((term) => nearby(key, term))),
  };
}

function levelsOf(key: string, terms: readonly FoundTerm[], shape: QueryShape): Conditions['levels'] {
  const exact = (field: PageField) => (term: FoundTerm) => condition(key, field, term, 'exact');
  const any = (field: PageField) => (term: FoundTerm) => condition(key, field, term, 'forms');
  const anywhere = allOf(terms.map((term) => oneOf([any('anywhere')(term), ...beginnings(key, term)])));
  const someIn = (field: PageField) => allOf([oneOf(terms.map(any(field))), anywhere]);
  const several = terms.length > 1;
  const named = (field: PageField, isWanted: boolean) => (isWanted ? identified(key, field, shape, anywhere) : '');
  return [
    ['wholeTitle', shape.whole === '' ? '' : lexeme(key, 'whole', shape.whole)],
    ['identifiersInTitle', named('title', shape.isIdentifier)],
    ['identifiersInHeading', named('heading', shape.isIdentifier)],
    ['identifiersAnywhere', named('anywhere', shape.isIdentifier)],
    ['exactInTitle', allOf(terms.map(exact('title')))],
    ['allInTitle', allOf(terms.map(any('title')))],
    ['identifiersAmongOthers', named('anywhere', !shape.isIdentifier)],
    ['allInHeading', allOf(terms.map(any('heading')))],
    ['someInTitle', several ? someIn('title') : ''],
    ['partOfTitle', several ? oneOf(terms.map(any('title'))) : ''],
    ['someInHeading', several ? someIn('heading') : ''],
    ['someInDescription', someIn('description')],
    ['allProminent', allOf(terms.map(any('prominent')))],
    ['allAnywhere', anywhere],
    ['partsAnywhere', byParts(key, terms)],
  ];
}

/** The parts of words in camel case instead of the words; empty if there are none. */
function byParts(key: string, terms: readonly FoundTerm[]): string {
  if (terms.every(({ parts }) => parts.length === 0)) return '';
  const asWord = (term: FoundTerm) => condition(key, 'anywhere', term, 'forms');
  const inParts = ({ parts }: FoundTerm) => allOf(parts.map((part) => lexeme(key, 'anywhere', part)));
  return allOf(terms.map((term) => (term.parts.length === 0 ? asWord(term) : oneOf([asWord(term), inParts(term)]))));
}

/** All names of several words in a field as a whole, and the other terms anywhere. */
const identified = (key: string, field: PageField, { identifiers }: QueryShape, anywhere: string) =>
  identifiers.length === 0
    ? ''
    : allOf([...identifiers.map((terms) => oneOf(terms.map((term) => lexeme(key, field, term)))), anywhere]);

/** Fields with few words, where even prefixes of two letters match few entries. */
const SHORT: readonly PageField[] = ['title', 'heading'];

function condition(key: string, field: PageField, term: FoundTerm, which: 'exact' | 'forms'): string {
  if (term.isRun) return allOf(term.grams.map((gram) => lexeme(key, field, gram)));
  const entries = term[which].map((word) => lexeme(key, field, word));
  return oneOf(which === 'forms' ? [...entries, ...beginnings(key, term, [field])] : entries);
}

const beginnings = (key: string, term: FoundTerm, fields = SHORT) =>
  isPrefix(term)
    ? fields.filter((field) => SHORT.includes(field)).map((field) => `${lexeme(key, field, term.text)}:*`)
    : [];

/** Further forms of a word say little about where it occurs. */
const NEAR_FORMS = 3;

const nearby = (key: string, term: FoundTerm) =>
  oneOf((term.isRun ? term.grams : term.forms.slice(0, NEAR_FORMS)).map((word) => lexeme(key, 'anywhere', word)));

/**
 * The words of the query in order, as the positions of the index have them. Without stop words, the others must be as
 * far apart as in the query: on long pages, the index has only the first positions of frequent words.
 */
function phraseOf(key: string, terms: readonly FoundTerm[], { sequence }: QueryShape): Conditions['phrase'] {
  const termsByText = new Map(terms.map((term) => [term.text, term]));
  let place = 0;
  const words = sequence.flatMap(({ text, isRun }): PlacedWord[] => {
    const at = place;
    place += isRun ? [...text].length : 1;
    if (isRun) {
      return gramsToFind(text, { isOrdered: true }).map((gram, index) => ({
        forms: [gram],
        place: at + index,
        isTerm: true,
      }));
    }
    const exact = termsByText.get(text)?.exact;
    return [{ forms: exact ?? [...new Set([text, fold(text)])], place: at, isTerm: exact !== undefined }];
  });
  if (words.length < 2) return null;
  const terse = words.filter(({ isTerm }) => isTerm);
  const inPart = (label: string) => oneOf([inOrder(key, words, label), inOrder(key, terse, label)]);
  return { exactly: inOrder(key, words, ''), anywhere: inPart(''), inTitle: inPart(':A'), inHeading: inPart(':B') };
}

interface PlacedWord {
  forms: readonly string[];
  /** Position in the query. */
  place: number;
  isTerm: boolean;
}

function inOrder(key: string, words: readonly PlacedWord[], label: string): string {
  if (words.length < 2 || words.some(({ forms }) => forms.length === 0)) return '';
  const conditions = words.map(({ forms, place }, index) => {
    const condition = oneOf(forms.map((form) => `${lexeme(key, 'anywhere', form)}${label}`));
    return index === 0 ? condition : `<${place - (words[index - 1]?.place ?? 0)}> ${condition}`;
  });
  return `(${conditions.join(' ')})`;
}

/** Empty if one of the conditions cannot match. */
const allOf = (conditions: readonly string[]) => (conditions.includes('') ? '' : `(${conditions.join(' & ')})`);

function oneOf(conditions: readonly string[]): string {
  const possible = conditions.filter((each) => each !== '');
  return possible.length === 0 ? '' : `(${possible.join(' | ')})`;
}
