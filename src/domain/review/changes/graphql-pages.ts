import { builder } from '../../../platform/graphql/builder.ts';
import { PageNode } from '../../content/pages/graphql.ts';
import { viewOf } from '../../content/pages/index.ts';
import { blockChanges, markedBody, markedMarkdown } from './bodies.ts';
import { pageFieldChanges } from './field-changes.ts';
import { BLOCKS, BlockChangeType, cutBlocks, FieldChangeType } from './graphql-blocks.ts';
import { type RowOf, SemanticChangeType } from './graphql-change.ts';

type BothSides = RowOf<'page_moved'> | RowOf<'page_edited'>;

/** A field with the page of the later revision. */
const pageNow = (description: string) => ({
  type: PageNode,
  description,
  resolve: ({ change, after }: BothSides) => viewOf(change.after, after),
});

/** A field with the page of the earlier revision. */
const pageBefore = (description: string) => ({
  type: PageNode,
  description,
  resolve: ({ change, before, after }: BothSides) => viewOf(change.before, before ?? after),
});

builder.objectRef<RowOf<'page_created'>>('PageCreated').implement({
  description: 'A page is new.',
  interfaces: [SemanticChangeType],
  fields: (t) => ({
    page: t.field({
      type: PageNode,
      description: 'It in the later revision.',
      resolve: ({ change, after }) => viewOf(change.page, after),
    }),
  }),
});

builder.objectRef<RowOf<'page_deleted'>>('PageDeleted').implement({
  description: 'A page is gone.',
  interfaces: [SemanticChangeType],
  fields: (t) => ({
    page: t.field({
      type: PageNode,
      description: 'The page as it was.',
      resolve: ({ change, before, after }) => viewOf(change.page, before ?? after),
    }),
  }),
});

builder.objectRef<RowOf<'page_moved'>>('PageMoved').implement({
  description: 'A page stands at another place, with everything below it.',
  interfaces: [SemanticChangeType],
  fields: (t) => ({
    page: t.field(pageNow('The page as it is.')),
    from: t.field(pageBefore('The page where it stood.')),
    to: t.field(pageNow('The page where it stands.')),
    fromParent: t.field({
      type: PageNode,
      nullable: true,
      description: 'The page that it stood under; null at the top level.',
      resolve: ({ change: { parents }, before, after }) => parents.before && viewOf(parents.before, before ?? after),
    }),
    toParent: t.field({
      type: PageNode,
      nullable: true,
      description: 'The page that it stands under; null at the top level.',
      resolve: ({ change: { parents }, after }) => parents.after && viewOf(parents.after, after),
    }),
  }),
});

const bodiesOf = ({ change, after }: RowOf<'page_edited'>) => ({
  organizationId: after.organizationId,
  before: change.before.documentHash,
  after: change.after.documentHash,
});

builder.objectRef<RowOf<'page_edited'>>('PageEdited').implement({
  description: 'Fields of a page or its body differ.',
  interfaces: [SemanticChangeType],
  fields: (t) => ({
    page: t.field(pageNow('The page as it is.')),
    before: t.field(pageBefore('The page as it was.')),
    fields: t.field({
      type: [FieldChangeType],
      description: 'The fields that differ, `document` for the body among them.',
      resolve: ({ change }) => pageFieldChanges(change.fields, change.before, change.after),
    }),
    blocks: t.field({
      type: [BlockChangeType],
      description: 'The blocks of the body that differ, in its order; deleted ones where they stood.',
      args: { first: t.arg.int({ defaultValue: BLOCKS, description: 'How many at most, up to 1,000.' }) },
      resolve: async (row, { first }, ctx) => cutBlocks(await blockChanges(ctx, bodiesOf(row)), first),
    }),
    markdown: t.string({
      description:
        'The body as Markdown with its changes marked: added in green, deleted in red with a line through it.',
      resolve: (row, _args, ctx) => markedMarkdown(ctx, bodiesOf(row)),
    }),
    document: t.field({
      type: 'JSONObject',
      description: 'The same as a document in JSON.',
      resolve: (row, _args, ctx) => markedBody(ctx, bodiesOf(row)),
    }),
  }),
});
