import { type ExcerptPart, excerptOf } from '../../../lib/search/excerpt.ts';
import type { Matcher, TermMatch } from '../../../lib/search/matcher.ts';

/** A section of a page as it is stored. */
export interface StoredSection {
  anchor: string | null;
  title: string | null;
  body: string;
}

/** A section of a page that matches the query. */
export interface SearchedSection {
  /** Null for the text before the first heading. */
  anchor: string | null;
  title: string | null;
  score: number;
  excerpt: ExcerptPart[];
}

/** Maximum number of sections per page. */
const MAX_SECTIONS = 5;

/** Weight of a term in a heading, relative to the body. */
const IN_TITLE = 4;
const MAX_TIMES = 8;

/** The sections of a page that match the query, best first. */
export const searchSections = (sections: readonly StoredSection[], matcher: Matcher): SearchedSection[] =>
  sections
    .map((section) => searched(section, matcher))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_SECTIONS);

function searched({ anchor, title, body }: StoredSection, matcher: Matcher): SearchedSection {
  const inTitle = matcher(title ?? '');
  const inBody = matcher(body);
  const score = IN_TITLE * timesOf(inTitle, 1) + timesOf(inBody, MAX_TIMES) / MAX_TIMES + timesOf(inBody, 1);
  return { anchor, title, score, excerpt: score > 0 ? excerptOf(body, inBody) : [] };
}

/** The number of matches, where each term counts at most `most` times. */
function timesOf(matches: readonly TermMatch[], most: number): number {
  const times = new Map<number, number>();
  for (const { term } of matches) times.set(term, Math.min(most, (times.get(term) ?? 0) + 1));
  return [...times.values()].reduce((sum, count) => sum + count, 0);
}
