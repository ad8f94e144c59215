import { fold } from '../../../lib/search/fold.ts';
import { identifiersOf } from '../../../lib/search/identifiers.ts';
import { versionNumber } from '../../../lib/search/terms.ts';
import { searchTokens } from '../../../lib/search/tokens.ts';
import { makeYielder } from '../../../lib/tick.ts';
import { LEVELS } from './levels.ts';
import { type FoundTerm, isPrefix } from './read-terms.ts';
import { AS_WRITTEN, POINTS_PER_LEVEL } from './relevance.ts';
import type { TitledSpace } from './scope.ts';

/** A space whose title matches a query. */
export interface SpaceHit {
  id: string;
  score: number;
}

/** Titles that are compared between pauses, in about a millisecond. */
const PER_TURN = 1_000;

/** Points of titles by their level, like those of pages. */
const points = (level: (typeof LEVELS)[number]) =>
  AS_WRITTEN + POINTS_PER_LEVEL * (LEVELS.length - LEVELS.indexOf(level));

/** The spaces whose own title has all words of a query, the last one as a prefix. */
export async function findSpaces(spaces: readonly TitledSpace[], terms: readonly FoundTerm[]): Promise<SpaceHit[]> {
  const hits: SpaceHit[] = [];
  if (terms.length === 0) return hits;
  const pause = makeYielder();
  for (const [index, { id, title }] of spaces.entries()) {
    if (index % PER_TURN === PER_TURN - 1) await pause();
    const score = scoreOf(title, terms);
    if (score !== undefined) hits.push({ id, score });
  }
  return hits;
}

/** Undefined unless the title has all terms. */
function scoreOf(title: string, terms: readonly FoundTerm[]): number | undefined {
  const foldedTitle = fold(title.toLowerCase());
  const joined = foldedTitle.replaceAll(/[.-]/g, '');
  const spellings = ({ folded, variants }: FoundTerm) => [folded, ...variants];
  if (!terms.every((term) => spellings(term).some((each) => foldedTitle.includes(each) || joined.includes(each)))) {
    return undefined;
  }
  const tokens = searchTokens(title);
  const words = tokens.map(({ text }) => fold(text));
  const names = identifiersOf(tokens, title).flatMap((name) => name.joined ?? []);
  const all = [...words, ...words.flatMap((word) => versionNumber(word) ?? []), ...names];
  const isIn = (term: FoundTerm) =>
    all.some((word) =>
      term.isRun
        ? word.includes(term.folded)
        : spellings(term).includes(word) || (isPrefix(term) && word.startsWith(term.folded)),
    );
  if (!terms.every(isIn)) return undefined;
  const isWhole = words.every((word) => terms.some(({ folded }) => folded === word));
  return points(isWhole ? 'wholeTitle' : 'allInTitle');
}
