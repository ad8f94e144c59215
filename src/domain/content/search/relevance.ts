import { matcherOf } from '../../../lib/search/matcher.ts';
import { LEVELS } from './levels.ts';
import type { Candidate } from './read-candidates.ts';
import { isPrefix, type Term } from './read-terms.ts';
import type { Hit } from './scope.ts';

/** Added to the score of pages that match without a correction, so that they come first. */
export const AS_WRITTEN = 100_000;

/** Points of a level. What else counts adds less, so that pages of a better level come first. */
const LEVEL = 1_000;

/**
 * The pages with their scores: integers, which a cursor can hold exactly. The level of the match comes first. Then terms
 * that are close to each other, ancestors whose titles match, and a short page add to the score. Candidates that match
 * only in part are left out.
 */
export function scored(candidates: readonly Candidate[], terms: readonly Term[]): Hit[] {
  const matcher = matcherOf(terms.map((term) => ({ ...term, isPrefix: isPrefix(term) })));
  const termsIn = (text: string) => new Set(matcher(text).map(({ term }) => term));
  return candidates.flatMap((candidate): Hit[] => {
    const { spaceId, pageId, length, closeness } = candidate;
    const above = candidate.ancestors.length > 0 ? termsIn(candidate.ancestors.join('\n')) : new Set<number>();
    const isCompleted = above.size > 0 && above.union(termsIn(candidate.title)).size === terms.length;
    if (candidate.level === 'partOfTitle' && !isCompleted) return [];
    const level = levelOf(candidate, isCompleted);
    const details = 400 * share(closeness) + (300 * above.size) / terms.length + 250 * brevity(length);
    return [{ spaceId, pageId, score: level * LEVEL + Math.round(details) }];
  });
}

const LEVEL_OF = Object.fromEntries(LEVELS.map((level, index) => [level, LEVELS.length - index])) as Record<
  (typeof LEVELS)[number],
  number
>;

/** The level, or a better one for words that stand next to each other, or that the titles of ancestors complete. */
function levelOf({ level, phrase, title }: Candidate, isCompleted: boolean): number {
  const levels = [LEVEL_OF[level]];
  if (phrase === 'title') levels.push(LEVEL_OF.identifiersInTitle);
  if (phrase === 'heading') levels.push(LEVEL_OF.identifiersInHeading);
  if (phrase === 'body') levels.push(LEVEL_OF.identifiersAnywhere);
  if (isCompleted && title !== '') levels.push(LEVEL_OF.allInTitle);
  return Math.max(...levels);
}

/** Grows from 0 to 1. */
const share = (value: number) => value / (1 + value);

const brevity = (length: number) => 1 / (1 + Math.log2(1 + length));
