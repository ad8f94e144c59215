import { builder } from '../../../platform/graphql/builder.ts';
import { Node } from '../../../platform/graphql/node.ts';
import { locationUrl } from '../../../platform/urls.ts';
import { RevisionType } from '../revisions/graphql.ts';
import { ancestorsOf, neighborOf, parentOf } from './navigation.ts';
import type { PageView } from './page-view.ts';
import { pageUrl } from './present.ts';

const READING_ORDER =
  'Reading order is the order of the tree, with a page before its child pages. Groups, links, computed pages, hidden pages ' +
  'and all pages below hidden pages are skipped, and have no previous or next page themselves. Null at the ends.';

/** Types in the graph by kind of page. */
export const TYPE_OF_KIND = {
  document: 'DocumentPage',
  group: 'GroupPage',
  link: 'LinkPage',
  computed: 'ComputedPage',
} as const;

export const PageNode = builder.interfaceRef<PageView>('PageNode');

const PageUrlsType = builder.objectRef<PageView>('PageUrls').implement({
  description: 'API and web URLs of a page.',
  fields: (t) => ({
    app: t.field({
      type: 'URL',
      description: 'URL of a web page that explains how to read the page.',
      resolve: ({ page, revision }, _args, ctx) => pageUrl(ctx, revision.spaceId, page.pageId),
    }),
    location: t.field({
      type: 'URL',
      description: 'URL of the page, in this revision, in the REST API.',
      resolve: ({ page, revision }, _args, ctx) =>
        locationUrl(ctx, `/v1/spaces/${revision.spaceId}/revisions/${revision.id}/page/${page.pageId}`),
    }),
  }),
});

PageNode.implement({
  description:
    'An entry in the page tree of a revision. Its `pageId` is the same in all revisions, while its `id` identifies it in this revision.',
  interfaces: [Node],
  resolveType: ({ page }) => TYPE_OF_KIND[page.kind],
  fields: (t) => ({
    pageId: t.id({
      description: 'ID of the page within its space, the same in all revisions.',
      resolve: ({ page }) => page.pageId,
    }),
    title: t.string({ description: 'Title of the page, 1 to 255 characters.', resolve: ({ page }) => page.title }),
    linkTitle: t.string({
      nullable: true,
      description: 'Shorter title for the page tree. Null if it has none.',
      resolve: ({ page }) => page.node.fields.linkTitle ?? null,
    }),
    slug: t.string({
      nullable: true,
      description: 'Last part of the path, unique among sibling pages. Null for links.',
      resolve: ({ page }) => ('slug' in page.node.fields ? page.node.fields.slug : null),
    }),
    path: t.string({
      nullable: true,
      description: 'Slugs from the top level down to the page, joined by "/". Null for links.',
      resolve: ({ page }) => page.path,
    }),
    emoji: t.string({
      nullable: true,
      description: 'Emoji of the page, as a character or as a hexadecimal code point.',
      resolve: ({ page }) => page.node.fields.emoji ?? null,
    }),
    icon: t.string({
      nullable: true,
      description: 'Name of the icon of the page.',
      resolve: ({ page }) => page.node.fields.icon ?? null,
    }),
    hidden: t.boolean({
      description: 'Whether the page is left out of the tree of a published site.',
      resolve: ({ page }) => page.hidden,
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'Time when the page was created.',
      resolve: ({ page }) => page.node.createdAt,
    }),
    updatedAt: t.field({
      type: 'DateTime',
      description: 'Time when the fields or the body of the page last changed.',
      resolve: ({ page }) => page.node.updatedAt,
    }),
    revision: t.field({
      type: RevisionType,
      description: 'Revision that the page belongs to.',
      resolve: ({ revision }) => revision,
    }),
    parent: t.field({
      type: PageNode,
      nullable: true,
      description: 'Parent of the page. Null at the top level.',
      resolve: (view, _args, ctx) => parentOf(ctx, view),
    }),
    ancestors: t.field({
      type: [PageNode],
      description: 'Ancestors of the page, from the top level down to its parent, for example for breadcrumbs.',
      resolve: (view, _args, ctx) => ancestorsOf(ctx, view),
    }),
    previous: t.field({
      type: PageNode,
      nullable: true,
      description: `Previous document page in reading order. ${READING_ORDER}`,
      resolve: (view, _args, ctx) => neighborOf(ctx, view, -1),
    }),
    next: t.field({
      type: PageNode,
      nullable: true,
      description: `Next document page in reading order. ${READING_ORDER}`,
      resolve: (view, _args, ctx) => neighborOf(ctx, view, 1),
    }),
    urls: t.field({
      type: PageUrlsType,
      description: 'URLs of the page.',
      resolve: (view) => view,
    }),
  }),
});
