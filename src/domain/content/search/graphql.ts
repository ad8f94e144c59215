import type { ExcerptPart } from '../../../lib/search/excerpt.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { namedEnum } from '../../../platform/named-enum.ts';
import { accessOn } from '../../people/access/index.ts';
import { OrganizationType } from '../../people/organizations/graphql.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { PageNode } from '../pages/graphql.ts';
import { pageInHead } from '../pages/index.ts';
import type { SearchedPage } from './load-results.ts';
import {
  type PlacedSection,
  plain,
  resultTypeOf,
  resultUrls,
  scoreShown,
  sectionPath,
  sectionsOf,
  sectionTitle,
} from './present.ts';
import { searchedInOrganization, searchOrganizationContent } from './search-organization-content.ts';
import { searchedPages, searchSpaceContent } from './search-space-content.ts';
import type { SearchedSpaceResult } from './searched-spaces.ts';

const UrlsType = builder.objectRef<{ app: string }>('SearchResultUrls').implement({
  description: 'Addresses of what was found.',
  fields: (t) => ({ app: t.expose('app', { type: 'URL', description: 'In the application for people.' }) }),
});

const ExcerptPartType = builder.objectRef<ExcerptPart>('SearchExcerptPart').implement({
  description: 'A part of an excerpt. Put together they are the excerpt, in plain text.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'Plain text.' }),
    isMatch: t.exposeBoolean('isMatch', { description: 'Whether this is what was searched for.' }),
  }),
});

const resultType = namedEnum('SearchResultType', 'What of a page was found.', {
  page: 'The page itself: its title or description has what was searched for.',
  section: 'Sections of it.',
});

const SectionResultType = builder.objectRef<PlacedSection>('SearchSectionResult').implement({
  description: 'A section of a page that was found.',
  fields: (t) => ({
    title: t.string({
      description: 'Its heading; the title of the page for what comes before the first.',
      resolve: sectionTitle,
    }),
    path: t.string({ description: 'The path of the page with the anchor of the heading.', resolve: sectionPath }),
    anchor: t.string({
      nullable: true,
      description: 'The anchor of its heading on the page; null for what comes before the first heading.',
      resolve: ({ section }) => section.anchor,
    }),
    page: t.field({
      type: PageNode,
      nullable: true,
      description: 'The page that the section is on, as it is now; null when it is gone.',
      resolve: ({ page: { spaceId, id } }, _args, ctx) => pageInHead(ctx, spaceId, id),
    }),
    score: t.float({
      description: 'How well it answers: the best have the highest.',
      resolve: ({ section }) => section.score,
    }),
    body: t.string({
      description: 'Some 240 characters of it, where it says what was searched for. Plain text.',
      resolve: ({ section }) => plain(section.excerpt),
    }),
    excerpt: t.field({
      type: [ExcerptPartType],
      description: 'The same in parts, with those marked that were searched for.',
      resolve: ({ section }) => section.excerpt,
    }),
    urls: t.field({
      type: UrlsType,
      description: 'Addresses of the section.',
      resolve: ({ page, section }, _args, ctx) => resultUrls(ctx, page, section),
    }),
  }),
});

const PageResultType = builder.objectRef<SearchedPage>('SearchPageResult').implement({
  description: 'A page that was found in the primary content of a space.',
  fields: (t) => ({
    page: t.field({
      type: PageNode,
      nullable: true,
      description: 'The page that was found, as it is now; null when it is gone.',
      resolve: ({ spaceId, id }, _args, ctx) => pageInHead(ctx, spaceId, id),
    }),
    title: t.exposeString('title', { description: 'What it is called.' }),
    description: t.exposeString('description', { description: 'What it is about; empty when nobody said.' }),
    path: t.exposeString('path', { description: 'Where it stands in its space.' }),
    score: t.float({
      description: 'How well it answers: the best have the highest.',
      resolve: ({ score }) => scoreShown(score),
    }),
    rank: t.exposeInt('rank', { description: 'Its place among all that was found, from 1.' }),
    resultType: t.field({ type: enumType(resultType), description: 'What of it was found.', resolve: resultTypeOf }),
    ancestors: t.stringList({
      description: 'Titles of the pages above it, from the top down.',
      resolve: ({ ancestors }) => ancestors,
    }),
    sections: t.field({
      type: [SectionResultType],
      description: 'The sections that say what was searched for, best first, up to five.',
      resolve: sectionsOf,
    }),
    space: t.field({
      type: SpaceType,
      nullable: true,
      description: 'The space that the page is in; null when it is gone.',
      resolve: ({ spaceId }, _args, ctx) => loadSpace(ctx, spaceId),
    }),
    urls: t.field({
      type: UrlsType,
      description: 'Addresses of the page.',
      resolve: (page, _args, ctx) => resultUrls(ctx, page),
    }),
  }),
});

const SpaceResultType = builder.objectRef<SearchedSpaceResult>('SearchSpaceResult').implement({
  description: 'A space with pages that were found.',
  fields: (t) => ({
    space: t.field({
      type: SpaceType,
      nullable: true,
      description: 'The space that the pages are in; null when it is gone.',
      resolve: ({ id }, _args, ctx) => loadSpace(ctx, id),
    }),
    title: t.exposeString('title', { description: 'What the space is called.' }),
    score: t.float({ description: 'The score of its best page.', resolve: ({ score }) => scoreShown(score) }),
    pages: t.field({
      type: [PageResultType],
      description: 'Its pages, best first, up to ten.',
      resolve: ({ pages }) => pages,
    }),
  }),
});

builder.objectFields(SpaceType, (t) => ({
  search: connection(t, {
    type: PageResultType,
    operation: searchSpaceContent,
    without: ['spaceId'],
    from: ({ id }) => ({ spaceId: id }),
    list: async (space, { query }, ctx) =>
      searchedPages(ctx, space, (await accessOn.space(ctx, space.id)) ?? { role: null }, query),
  }),
}));

builder.objectFields(OrganizationType, (t) => ({
  search: connection(t, {
    type: SpaceResultType,
    operation: searchOrganizationContent,
    without: ['organizationId'],
    from: ({ id }) => ({ organizationId: id }),
    list: ({ id }, { query }, ctx) => searchedInOrganization(ctx, id, query),
  }),
}));
