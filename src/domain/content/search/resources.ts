import { z } from 'zod';
import type { ExcerptPart } from '../../../lib/search/excerpt.ts';
import type { Context } from '../../../platform/context/context.ts';
import { types } from '../../../platform/resource/field-types.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { appUrl } from '../../../platform/resource/urls.ts';
import { namedEnum } from '../../../platform/shapes/named-enum.ts';
import type { SearchedPage } from './load-results.ts';
import type { SearchedSection } from './search-sections.ts';
import type { SearchedSpaceResult } from './searched-spaces.ts';

/** A section of a page that was found. */
interface FoundSection {
  page: SearchedPage;
  section: SearchedSection;
}

const resultType = namedEnum('SearchResultType', 'Part of a page that matches a search.', {
  page: 'The title or description of the page.',
  section: 'Only sections of the page.',
});

const SCORE = 'Relevance of the result. Higher is better.';
const BODY = 'Excerpt of about 240 characters around the matches, as plain text.';

/** Scores are integers internally. The level of the match becomes the integer part. */
const shownScore = ({ score }: { score: number }) => score / 1_000;

const anchorOf = ({ anchor }: SearchedSection) => (anchor === null ? '' : `#${anchor}`);

const urlOf = (ctx: Context, { spaceId, id }: SearchedPage, anchor = '') =>
  appUrl(ctx, `/spaces/${spaceId}/pages/${id}${encodeURI(anchor)}`);

const resultUrls = resource<{ app: string }>(
  { name: 'SearchResultUrls', description: 'URLs of a page or section that matches a search.' },
  (f) => ({
    app: f.url('URL of the page or section in the web application.', ({ app }) => app),
  }),
);

const excerptPart = resource<ExcerptPart>(
  { name: 'SearchExcerptPart', description: 'Part of an excerpt. The excerpt is the concatenation of its parts.' },
  (f) => ({
    text: f.string('Plain text of the part.', ({ text }) => text),
    isMatch: f.boolean('Whether the part matches the query.', ({ isMatch }) => isMatch),
  }),
);

export const sectionResult = resource<FoundSection>(
  { name: 'SearchSectionResult', description: 'A section of a page that matches a search.' },
  (f) => ({
    id: f.string('ID of the section.', ({ page, section }) => `${page.id}${anchorOf(section)}`, { graph: false }),
    title: f.string(
      'Heading of the section. For the text before the first heading, the title of the page.',
      ({ page, section }) => section.title || page.title,
    ),
    path: f.string(
      'Path of the page with the anchor of the heading.',
      ({ page, section }) => `${page.path}${anchorOf(section)}`,
    ),
    anchor: f.string.optional(
      'Anchor of the heading on the page. Null for the text before the first heading.',
      ({ section }) => section.anchor,
      { rest: false },
    ),
    score: f.float(SCORE, ({ section }) => section.score),
    resultType: f.enum(resultType)('Always `section`.', () => 'section', { graph: false }),
    body: f.string(BODY, ({ section }) => section.excerpt.map(({ text }) => text).join('')),
    excerpt: f.list(types.object(() => excerptPart))(
      'The excerpt in parts. Parts that match the query are marked.',
      ({ section }) => section.excerpt,
      { rest: false },
    ),
    urls: f.object(() => resultUrls)('URLs of the section.', ({ page, section }, ctx) => ({
      app: urlOf(ctx, page, anchorOf(section)),
    })),
  }),
);

const ANCESTORS = 'Titles of the ancestors of the page, from the top level down.';

const ancestor = resource<string>({ name: 'SearchResultAncestor', description: 'An ancestor of a page.' }, (f) => ({
  title: f.string('Title of the page.', (title) => title),
}));

export const pageResult = resource<SearchedPage>(
  { name: 'SearchPageResult', description: 'A page in the primary content of a space that matches a search.' },
  (f) => ({
    id: f.id('page')('ID of the page.', ({ id }) => id, { graph: false }),
    title: f.string('Title of the page.', ({ title }) => title),
    description: f.string('Description of the page. Empty if it has none.', ({ description }) => description),
    path: f.string('Path of the page in its space.', ({ path }) => path),
    score: f.float(SCORE, shownScore),
    rank: f.int('Position in the list of all results, starting at 1.', ({ rank }) => rank),
    resultType: f.enum(resultType)('Part of the page that matches.', ({ isItself }) => (isItself ? 'page' : 'section')),
    ancestors: f.apart({
      graph: f.list(types.string)(ANCESTORS, ({ ancestors }) => ancestors),
      rest: f.list(types.object(() => ancestor))(ANCESTORS, ({ ancestors }) => ancestors),
    }),
    sections: f.list(types.object(() => sectionResult))('Up to five matching sections, best first.', (page) =>
      page.sections.map((section) => ({ page, section })),
    ),
    urls: f.object(() => resultUrls)('URLs of the page.', (page, ctx) => ({ app: urlOf(ctx, page) })),
  }),
);

export const spaceResult = resource<SearchedSpaceResult>(
  { name: 'SearchSpaceResult', description: 'A space that matches a search, by its title or its pages.' },
  (f) => ({
    type: f.json<'space'>(z.literal('space'))('Always `space`.', () => 'space', { graph: false }),
    id: f.id('space')('ID of the space.', ({ id }) => id, { graph: false }),
    title: f.string('Title of the space.', ({ title }) => title),
    score: f.float('Score of the title of the space or of its best page, whichever is higher.', shownScore),
    pages: f.list(types.object(() => pageResult))(
      'Up to ten matching pages, best first. Empty if only the title of the space matches.',
      ({ pages }) => pages,
    ),
  }),
);
