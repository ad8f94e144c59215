import type { PageField } from '../../../lib/search/page-terms.ts';
import { type QueryShape, queryShape } from '../../../lib/search/query-terms.ts';
import type { DerivedPage } from './derived-page.ts';
import type { Level } from './levels.ts';
import { type FoundTerm, isPrefix } from './read-terms.ts';
import { AS_WRITTEN, scoreCandidates } from './relevance.ts';
import type { Hit } from './scope.ts';

/** The derived pages that match a query, with scores that compare with those of the index. */
export function derivedHits(pages: readonly DerivedPage[], terms: readonly FoundTerm[], query: string): Hit[] {
  const shape = queryShape(query);
  const candidates = pages.flatMap(({ spaceId, pageId, title, ancestors, length, fields }) => {
    const level = levelOf(fields, terms, shape);
    const near = ancestors.slice(-2);
    return level ? [{ spaceId, pageId, level, length, phrase: null, closeness: 0, title, ancestors: near }] : [];
  });
  return scoreCandidates(candidates, terms, shape).map((hit) => ({ ...hit, score: hit.score + AS_WRITTEN }));
}

/** The best level at which a page matches, by the conditions of `levelsOf` for the index. */
function levelOf(fields: DerivedPage['fields'], terms: readonly FoundTerm[], shape: QueryShape): Level | undefined {
  if (shape.whole !== '' && fields.whole.has(shape.whole)) return 'wholeTitle';
  const isIn = (field: PageField) => (term: FoundTerm) => matches(fields, field, term);
  const anywhere = (term: FoundTerm) => (['anywhere', 'title', 'heading'] as const).some((field) => isIn(field)(term));
  const inParts = (term: FoundTerm) =>
    anywhere(term) || (term.parts.length > 0 && term.parts.every((part) => fields.anywhere.has(part)));
  if (!terms.every(anywhere)) {
    if (terms.every(inParts)) return 'partsAnywhere';
    // Titles of ancestors may have the other words.
    return terms.length > 1 && terms.some(isIn('title')) ? 'partOfTitle' : undefined;
  }
  const isNamed = (field: PageField) =>
    shape.identifiers.length > 0 && shape.identifiers.every((terms) => terms.some((name) => fields[field].has(name)));
  const isExact = ({ text, exact }: FoundTerm) => [text, ...exact].some((word) => fields.title.has(word));
  const levels: [Level, () => boolean][] = [
    ['identifiersInTitle', () => shape.isIdentifier && isNamed('title')],
    ['identifiersInHeading', () => shape.isIdentifier && isNamed('heading')],
    ['identifiersAnywhere', () => shape.isIdentifier && isNamed('anywhere')],
    ['exactInTitle', () => terms.every(isExact)],
    ['allInTitle', () => terms.every(isIn('title'))],
    ['identifiersAmongOthers', () => !shape.isIdentifier && isNamed('anywhere')],
    ['allInHeading', () => terms.every(isIn('heading'))],
    ['someInTitle', () => terms.some(isIn('title'))],
    ['someInHeading', () => terms.some(isIn('heading'))],
    ['someInDescription', () => terms.some(isIn('description'))],
    ['allProminent', () => terms.every(isIn('prominent'))],
  ];
  return levels.find(([, isMet]) => isMet())?.[0] ?? 'allAnywhere';
}

function matches(fields: DerivedPage['fields'], field: PageField, term: FoundTerm): boolean {
  const words = fields[field];
  if (term.isRun) return term.grams.every((gram) => words.has(gram));
  if (words.has(term.text) || term.forms.some((form) => words.has(form))) return true;
  return (
    isPrefix(term) &&
    (field === 'title' || field === 'heading') &&
    [...words].some((word) => word.startsWith(term.text))
  );
}
