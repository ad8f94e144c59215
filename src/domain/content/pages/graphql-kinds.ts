import { builder } from '../../../platform/graphql/builder.ts';
import { Node } from '../../../platform/graphql/node.ts';
import { PageNode } from './graphql-node.ts';
import { ContentReference } from './graphql-reference.ts';
import { childPages, type PageView } from './page-view.ts';

builder.objectRef<PageView>('GroupPage').implement({
  description: 'A heading in the tree, at the top level, with pages below it and no body.',
  interfaces: [PageNode, Node],
  fields: (t) => ({
    pages: t.field({
      type: [PageNode],
      description: 'The pages below it, in order.',
      resolve: (view, _args, ctx) => childPages(ctx, view),
    }),
  }),
});

builder.objectRef<PageView>('LinkPage').implement({
  description: 'An entry in the tree that leads elsewhere.',
  interfaces: [PageNode, Node],
  fields: (t) => ({
    target: t.field({
      type: ContentReference,
      nullable: true,
      description: 'Where it leads.',
      resolve: ({ page }) => ('target' in page.node.fields ? page.node.fields.target : null),
    }),
    href: t.string({
      nullable: true,
      description: 'The address, when it leads to one.',
      resolve: ({ page }) => {
        const target = 'target' in page.node.fields ? page.node.fields.target : undefined;
        return typeof target?.url === 'string' ? target.url : null;
      },
    }),
  }),
});

const ComputedSourceType = builder.objectRef<Record<string, unknown>>('ComputedSource').implement({
  description: 'Where content is computed from.',
  fields: (t) => ({
    type: t.string({
      description: 'The kind of source: `builtin:openapi`, `builtin:translation` or `integration:<name>:<source>`.',
      resolve: ({ type }) => String(type),
    }),
    props: t.field({
      type: 'JSONObject',
      description: 'What the source is told; its members are those of its type.',
      resolve: ({ props }) => props ?? {},
    }),
    dependencies: t.field({
      type: 'JSONObject',
      description: 'What the content is computed from, each by a name of its type: `{ spec: { ref } }`.',
      resolve: ({ dependencies }) => dependencies ?? {},
    }),
  }),
});

builder.objectRef<PageView>('ComputedPage').implement({
  description: 'Stands for pages that are computed from another source.',
  interfaces: [PageNode, Node],
  fields: (t) => ({
    computed: t.field({
      type: ComputedSourceType,
      description: 'Where the pages that stand in its place come from.',
      resolve: ({ page }) => ('computed' in page.node.fields ? (page.node.fields.computed ?? {}) : {}),
    }),
  }),
});
