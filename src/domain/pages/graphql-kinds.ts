import { builder } from '../../platform/graphql/builder.ts';
import { Node } from '../../platform/graphql/node.ts';
import { PageNode } from './graphql-node.ts';
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

/** A content reference as JSON has it, by its members. */
export const ContentReference = builder.objectRef<Record<string, unknown>>('ContentReference').implement({
  description: 'Names something in content: a page, a file, an address and so on.',
  fields: (t) => ({
    kind: t.string({
      description: 'What is named: `url`, `page`, `anchor`, `file`, `space` and so on.',
      resolve: ({ kind }) => String(kind),
    }),
    ref: t.field({
      type: 'JSONObject',
      description: 'The whole reference: `{ kind, … }` with the ids that its kind has.',
      resolve: (ref) => ref,
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

builder.objectRef<PageView>('ComputedPage').implement({
  description: 'Stands for pages that are computed from another source.',
  interfaces: [PageNode, Node],
  fields: (t) => ({
    computed: t.field({
      type: 'JSONObject',
      description: 'The source: `{ type, props, dependencies }`.',
      resolve: ({ page }) => ('computed' in page.node.fields ? (page.node.fields.computed ?? {}) : {}),
    }),
  }),
});
