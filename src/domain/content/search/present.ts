import { z } from 'zod';
import type { ExcerptPart } from '../../../lib/search/excerpt.ts';
import type { Context } from '../../../platform/context.ts';
import { addressIn, idIn, namedShape } from '../../../platform/shapes.ts';
import { appUrl } from '../../../platform/urls.ts';
import type { SearchedPage } from './load-results.ts';
import type { SearchedSection } from './search-sections.ts';
import type { SearchedSpaceResult } from './searched-spaces.ts';

/** A section of a page that was found. */
export interface PlacedSection {
  page: SearchedPage;
  section: SearchedSection;
}

export const sectionsOf = (page: SearchedPage): PlacedSection[] => page.sections.map((section) => ({ page, section }));

/** Scores are whole numbers inside; what is shown has the level of the match before the point. */
export const scoreShown = (score: number) => score / 1_000;

const anchorOf = ({ anchor }: SearchedSection) => (anchor === null ? '' : `#${anchor}`);

/** Names a section: its page, and its anchor there. */
const sectionId = ({ page, section }: PlacedSection) => `${page.id}${anchorOf(section)}`;

export const sectionTitle = ({ page, section }: PlacedSection) => section.title || page.title;

export const sectionPath = ({ page, section }: PlacedSection) => `${page.path}${anchorOf(section)}`;

export const plain = (excerpt: readonly ExcerptPart[]) => excerpt.map(({ text }) => text).join('');

export const resultUrls = (ctx: Context, { spaceId, id }: SearchedPage, section?: SearchedSection) => ({
  app: appUrl(ctx, `/spaces/${spaceId}/pages/${id}${encodeURI(section ? anchorOf(section) : '')}`),
});

/** REST's search result of an organization. */
export const presentSpaceResult = ({ id, title, score, pages }: SearchedSpaceResult, ctx: Context) => ({
  type: 'space',
  id,
  title,
  score: scoreShown(score),
  pages: pages.map((page) => presentPageResult(page, ctx)),
});

/** REST's search result of a space. */
export const presentPageResult = (page: SearchedPage, ctx: Context) => ({
  id: page.id,
  title: page.title,
  description: page.description,
  path: page.path,
  score: scoreShown(page.score),
  rank: page.rank,
  resultType: resultTypeOf(page),
  ancestors: page.ancestors.map((title) => ({ title })),
  sections: sectionsOf(page).map((placed) => presentSection(placed, ctx)),
  urls: resultUrls(ctx, page),
});

/** What of it was found: itself, or no more than sections of it. */
export const resultTypeOf = ({ isItself }: SearchedPage) => (isItself ? 'page' : 'section');

const presentSection = (placed: PlacedSection, ctx: Context) => ({
  id: sectionId(placed),
  title: sectionTitle(placed),
  path: sectionPath(placed),
  score: placed.section.score,
  resultType: 'section',
  body: plain(placed.section.excerpt),
  urls: resultUrls(ctx, placed.page, placed.section),
});

const score = z.number().min(0).describe('How well it answers: the best have the highest.');
const urls = z.object({ app: addressIn('In the application for people.') }).describe('Addresses.');
const resultType = z.enum(['page', 'section']).describe('Whether the page itself was found, or a section of it.');

const sectionShape = namedShape('SearchSectionResult', 'A section of a page that was found.', {
  id: z.string().describe('Names it.'),
  title: z.string().describe('Its heading; the title of the page for what comes before the first.'),
  path: z.string().describe('The path of the page with the anchor of the heading.'),
  score,
  resultType,
  body: z.string().describe('Some 240 characters of it, where it says what was asked for. Plain text.'),
  urls,
});

export const pageResultShape = namedShape('SearchPageResult', 'A page that was found.', {
  id: idIn('page'),
  title: z.string().describe('What it is called.'),
  description: z.string().describe('What it is about; empty when nobody said.'),
  path: z.string().describe('Where it stands in its space.'),
  score,
  rank: z.int().min(1).describe('Its place among all that was found.'),
  resultType,
  ancestors: z
    .array(z.object({ title: z.string().describe('What it is called.') }))
    .describe('The pages above it, from the top down.'),
  sections: z.array(sectionShape).describe('The sections that say what was asked for, best first, up to five.'),
  urls,
});

export const spaceResultShape = namedShape('SearchSpaceResult', 'A space with pages that were found.', {
  type: z.literal('space').describe('What this is.'),
  id: idIn('space'),
  title: z.string().describe('What it is called.'),
  score,
  pages: z.array(pageResultShape).describe('Its pages, best first, up to ten.'),
});
