import { builder } from '../../../platform/graphql/builder.ts';
import { Node } from '../../../platform/graphql/node.ts';
import { graphFields } from '../../../platform/graphql/resource-type.ts';
import { RevisionType } from '../revisions/graphql.ts';
import { ancestorsOf, neighborOf, parentPage } from './navigation.ts';
import type { PageView } from './page-view.ts';
import { pageNode } from './resources.ts';

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

export const PageNodeType = builder.interfaceRef<PageView>('PageNode');

PageNodeType.implement({
  description: pageNode.description,
  interfaces: [Node],
  resolveType: ({ page }) => TYPE_OF_KIND[page.kind],
  fields: (t) => ({
    ...graphFields(pageNode, t),
    revision: t.field({
      type: RevisionType,
      description: 'Revision that the page belongs to. Its pages are those of the revision, with other IDs.',
      resolve: ({ revision: { currentOf: _, ...revision } }) => revision,
    }),
    parent: t.field({
      type: PageNodeType,
      nullable: true,
      description: 'Parent of the page. Null at the top level.',
      resolve: (view, _args, ctx) => parentPage(ctx, view),
    }),
    ancestors: t.field({
      type: [PageNodeType],
      description: 'Ancestors of the page, from the top level down to its parent, for example for breadcrumbs.',
      resolve: (view, _args, ctx) => ancestorsOf(ctx, view),
    }),
    previousPage: t.field({
      type: PageNodeType,
      nullable: true,
      description: `Previous document page in reading order. ${READING_ORDER}`,
      resolve: (view, _args, ctx) => neighborOf(ctx, view, -1),
    }),
    nextPage: t.field({
      type: PageNodeType,
      nullable: true,
      description: `Next document page in reading order. ${READING_ORDER}`,
      resolve: (view, _args, ctx) => neighborOf(ctx, view, 1),
    }),
    previous: t.field({
      type: PageNodeType,
      nullable: true,
      description: 'Former name of `previousPage`.',
      deprecationReason: 'Use `previousPage`.',
      resolve: (view, _args, ctx) => neighborOf(ctx, view, -1),
    }),
    next: t.field({
      type: PageNodeType,
      nullable: true,
      description: 'Former name of `nextPage`.',
      deprecationReason: 'Use `nextPage`.',
      resolve: (view, _args, ctx) => neighborOf(ctx, view, 1),
    }),
  }),
});
