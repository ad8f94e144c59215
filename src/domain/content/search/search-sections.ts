import { type ExcerptPart, excerptOf } from '../../../lib/search/excerpt.ts';
import type { Matcher, TermMatch } from '../../../lib/search/matcher.ts';

/** A part of a page as it is stored. */
export interface StoredSection {
  anchor: string | null;
  title: string | null;
  body: string;
}

/** A part of a page that says something of what was asked for. */
export interface SearchedSection {
  /** Null for what stands before the first heading. */
  anchor: string | null;
  title: string | null;
  score: number;
  /** What it says about it. */
  excerpt: ExcerptPart[];
}

/** So many parts of one page are shown. */
const MAX_SECTIONS = 5;

/** A term in a heading counts as much as so many terms in bodies. */
const IN_TITLE = 4;
const MAX_TIMES = 8;

/** The parts of a page that say something of what was asked for, best first. */
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

/** How often each of the terms is there, up to a number of times, added up. */
function timesOf(matches: readonly TermMatch[], most: number): number {
  const times = new Map<number, number>();
  for (const { term } of matches) times.set(term, Math.min(most, (times.get(term) ?? 0) + 1));
  return [...times.values()].reduce((sum, count) => sum + count, 0);
}
