import { builder } from '../../../platform/graphql/builder.ts';
import { Node } from '../../../platform/graphql/node.ts';
import { locationUrl } from '../../../platform/urls.ts';
import { RevisionType } from '../revisions/graphql.ts';
import { ancestorsOf, neighborOf, parentOf } from './navigation.ts';
import type { PageView } from './page-view.ts';
import { pageUrl } from './present.ts';

const READING_ORDER =
  'The order is that of the tree, a page before the pages below it; groups, links, computed pages and hidden pages with ' +
  'everything below them are passed over, and have no page before or after them. Null at the ends.';

/** The type of a page in the graph by its kind. */
export const TYPE_OF_KIND = {
  document: 'DocumentPage',
  group: 'GroupPage',
  link: 'LinkPage',
  computed: 'ComputedPage',
} as const;

export const PageNode = builder.interfaceRef<PageView>('PageNode');

const PageUrlsType = builder.objectRef<PageView>('PageUrls').implement({
  description: 'Addresses of a page.',
  fields: (t) => ({
    app: t.field({
      type: 'URL',
      description: 'The page in the application for people.',
      resolve: ({ page, revision }, _args, ctx) => pageUrl(ctx, revision.spaceId, page.pageId),
    }),
    location: t.field({
      type: 'URL',
      description: 'The page in REST, in the revision that this object belongs to.',
      resolve: ({ page, revision }, _args, ctx) =>
        locationUrl(ctx, `/v1/spaces/${revision.spaceId}/revisions/${revision.id}/page/${page.pageId}`),
    }),
  }),
});

PageNode.implement({
  description:
    'An entry in the page tree of a revision. Its `pageId` is stable over revisions, its `id` names it in this one.',
  interfaces: [Node],
  resolveType: ({ page }) => TYPE_OF_KIND[page.kind],
  fields: (t) => ({
    pageId: t.id({
      description: 'Names the page in its space, in every revision.',
      resolve: ({ page }) => page.pageId,
    }),
    title: t.string({ description: 'What it is called, 1 to 255 characters.', resolve: ({ page }) => page.title }),
    linkTitle: t.string({
      nullable: true,
      description: 'A shorter title for the tree.',
      resolve: ({ page }) => page.node.fields.linkTitle ?? null,
    }),
    slug: t.string({
      nullable: true,
      description: 'Its part of the path, unique among its siblings; null for links.',
      resolve: ({ page }) => ('slug' in page.node.fields ? page.node.fields.slug : null),
    }),
    path: t.string({
      nullable: true,
      description: 'The slugs from the top down, joined by "/"; null for links.',
      resolve: ({ page }) => page.path,
    }),
    emoji: t.string({
      nullable: true,
      description: 'An emoji, or its code point in hex.',
      resolve: ({ page }) => page.node.fields.emoji ?? null,
    }),
    icon: t.string({
      nullable: true,
      description: 'Name of an icon.',
      resolve: ({ page }) => page.node.fields.icon ?? null,
    }),
    hidden: t.boolean({ description: 'Left out of the tree of a published site.', resolve: ({ page }) => page.hidden }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When the page was made.',
      resolve: ({ page }) => page.node.createdAt,
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'When its own fields or body last changed.',
      resolve: ({ page }) => page.node.updatedAt,
    }),
    revision: t.field({
      type: RevisionType,
      description: 'The revision that this object belongs to.',
      resolve: ({ revision }) => revision,
    }),
    parent: t.field({
      type: PageNode,
      nullable: true,
      description: 'The page that it is below; null at the top level.',
      resolve: (view, _args, ctx) => parentOf(ctx, view),
    }),
    ancestors: t.field({
      type: [PageNode],
      description: 'The pages above it, from the top of the tree down to its parent: a breadcrumb.',
      resolve: (view, _args, ctx) => ancestorsOf(ctx, view),
    }),
    previous: t.field({
      type: PageNode,
      nullable: true,
      description: `The document page before it in reading order. ${READING_ORDER}`,
      resolve: (view, _args, ctx) => neighborOf(ctx, view, -1),
    }),
    next: t.field({
      type: PageNode,
      nullable: true,
      description: `The document page after it in reading order. ${READING_ORDER}`,
      resolve: (view, _args, ctx) => neighborOf(ctx, view, 1),
    }),
    urls: t.field({
      type: PageUrlsType,
      description: 'Addresses of the page.',
      resolve: (view) => view,
    }),
  }),
});
