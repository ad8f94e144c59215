import type { ComputedFields, StoredSource } from '../../../lib/tree/node.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { Node } from '../../../platform/graphql/node.ts';
import { graphFields } from '../../../platform/graphql/resource-type.ts';
import { sourceSeenBy } from '../computed-sources/index.ts';
import { PageNodeType } from './graphql-node.ts';
import { ContentReference } from './graphql-reference.ts';
import { childPages, type PageView } from './page-view.ts';
import { computedPage, linkPage, linkPageTarget } from './resources.ts';

builder.objectRef<PageView>('GroupPage').implement({
  description: 'A heading at the top level of the page tree that groups pages. It has no body.',
  interfaces: [PageNodeType, Node],
  fields: (t) => ({
    pages: t.field({
      type: [PageNodeType],
      description: 'Child pages, in order.',
      resolve: (view, _args, ctx) => childPages(ctx, view),
    }),
  }),
});

builder.objectRef<PageView>('LinkPage').implement({
  description: linkPage.description,
  interfaces: [PageNodeType, Node],
  fields: (t) => ({
    target: t.field({
      type: ContentReference,
      nullable: true,
      description: 'Target of the link. Null if it has none.',
      resolve: (view) => linkPageTarget(view) ?? null,
    }),
    ...graphFields(linkPage, t),
  }),
});

export const ComputedSourceType = builder.objectRef<StoredSource>('ComputedSource').implement({
  description: 'Source that content is computed from.',
  fields: (t) => ({
    type: t.string({
      description: 'Type of the source: `builtin:openapi`, `builtin:translation` or `integration:<name>:<source>`.',
      resolve: ({ type }) => type,
    }),
    props: t.field({
      type: 'JSONObject',
      description: 'Options of the source. Their properties depend on its type.',
      resolve: ({ props }) => props,
    }),
    dependencies: t.field({
      type: 'JSONObject',
      description:
        'Resources that the content is computed from, by names that depend on the type: `{ spec: { ref } }`.',
      resolve: ({ dependencies }) => dependencies ?? {},
    }),
  }),
});

builder.objectRef<PageView>('ComputedPage').implement({
  description: computedPage.description,
  interfaces: [PageNodeType, Node],
  fields: (t) => ({
    computed: t.field({
      type: ComputedSourceType,
      description: 'Source that the pages are computed from.',
      resolve: ({ page: { node } }, _args, { actor }) => {
        const { computed } = node.fields as ComputedFields; // the fields of this kind
        return sourceSeenBy(actor, computed) ?? { type: computed.type, props: {} };
      },
    }),
  }),
});
