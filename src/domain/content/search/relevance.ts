import { matcherOf } from '../../../lib/search/matcher.ts';
import { wholeTitle } from '../../../lib/search/page-terms.ts';
import type { QueryShape } from '../../../lib/search/query-terms.ts';
import { LEVELS, type Level } from './levels.ts';
import type { Candidate } from './read-candidates.ts';
import { type FoundTerm, isPrefix } from './read-terms.ts';
import type { Hit } from './scope.ts';

/** Added to the score of pages that match without a correction, so that they come first. */
export const AS_WRITTEN = 100_000;

/** Points of a level. What else counts adds less, so that pages of a better level come first. */
export const POINTS_PER_LEVEL = 1_000;

/**
 * The pages with their scores: integers, which a cursor can hold exactly. The level of the match comes first. Then
 * terms that are close to each other, ancestors whose titles match, and a short page add to the score. Candidates that
 * match only in part are left out.
 */
export function scoreCandidates(
  candidates: readonly Candidate[],
  terms: readonly FoundTerm[],
  { whole: wholeQuery }: QueryShape,
): Hit[] {
  const matcher = matcherOf(terms.map((term) => ({ ...term, isPrefix: isPrefix(term) })));
  const termsIn = (text: string) => new Set(matcher(text).map(({ term }) => term));
  const words = new Set(wholeQuery.split(' '));
  return candidates.flatMap((candidate): Hit[] => {
    const { spaceId, pageId, title, length, closeness } = candidate;
    const above = candidate.ancestors.length > 0 ? termsIn(candidate.ancestors.join('\n')) : new Set<number>();
    const levels = [candidate.level, ...levelsByPhrase(candidate)];
    if (above.size > 0 && new Set([...above, ...termsIn(title)]).size === terms.length) {
      const isWhole = wholeTitle(title)
        .split(' ')
        .every((word) => words.has(word));
      levels.push(isWhole ? 'titleBelowAncestors' : 'allInTitles');
    } else if (candidate.level === 'partOfTitle') return [];
    const level = Math.max(...levels.map((each) => LEVELS.length - LEVELS.indexOf(each)));
    const details = 400 * share(closeness) + (300 * above.size) / terms.length + 250 * brevity(length);
    return [{ spaceId, pageId, score: level * POINTS_PER_LEVEL + Math.round(details) }];
  });
}

const BY_PHRASE = {
  title: 'phraseInTitle',
  heading: 'phraseInHeading',
  body: 'phraseInBody',
  loose: 'looselyInOrder',
} as const;

const levelsByPhrase = ({ phrase }: Candidate): Level[] => (phrase === null ? [] : [BY_PHRASE[phrase]]);

/** Grows from 0 to 1. */
const share = (value: number) => value / (1 + value);

const brevity = (length: number) => 1 / (1 + Math.log2(1 + length));
