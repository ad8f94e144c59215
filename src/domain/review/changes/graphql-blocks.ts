import type { BlockChange } from '../../../lib/diff/block-changes.ts';
import type { DiffSpan } from '../../../lib/diff/word-diff.ts';
import type { Block } from '../../../lib/document/document.ts';
import { documentOf } from '../../../lib/document/empty.ts';
import { IN_PAGES } from '../../../lib/document/markdown/forms.ts';
import { printMarkdown } from '../../../lib/document/markdown/print.ts';
import { builder, type FieldsOf } from '../../../platform/graphql/builder.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { type BodyVersions, blockChanges, markedMarkdown } from './bodies.ts';
import { blockChangeKind, wordChange } from './enums.ts';
import type { FieldChange } from './field-changes.ts';

export const FieldChangeType = builder.objectRef<FieldChange>('FieldChange').implement({
  description: 'A field or variable that differs between two revisions.',
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'Name of the field or variable. For the field `document`, the values are IDs of documents.',
    }),
    before: t.expose('before', {
      type: 'JSON',
      nullable: true,
      description: 'Value in the earlier revision. Null if there was none.',
    }),
    after: t.expose('after', {
      type: 'JSON',
      nullable: true,
      description: 'Value in the later revision. Null if there is none.',
    }),
  }),
});

const SpanType = builder.objectRef<DiffSpan>('WordSpan').implement({
  description: 'Words of a line that were kept, added or deleted together.',
  fields: (t) => ({
    change: t.expose('change', { type: enumType(wordChange), description: 'Kind of change.' }),
    text: t.exposeString('text', { description: 'The words, as plain text.' }),
  }),
});

const markdownOf = (block: Block | null) => block && printMarkdown(documentOf([block]), IN_PAGES);

const BlockChangeType = builder.objectRef<BlockChange>('BlockChange').implement({
  description: 'A top-level block of a body that differs between two revisions.',
  fields: (t) => ({
    kind: t.expose('kind', { type: enumType(blockChangeKind), description: 'Kind of change.' }),
    key: t.exposeString('key', { description: 'Key of the block in its document, the same in both revisions.' }),
    before: t.string({
      nullable: true,
      description: 'Block in the earlier revision as Markdown. Null for added blocks.',
      resolve: ({ before }) => markdownOf(before),
    }),
    after: t.string({
      nullable: true,
      description: 'Block in the later revision as Markdown. Null for deleted blocks.',
      resolve: ({ after }) => markdownOf(after),
    }),
    beforeNode: t.field({
      type: 'JSONObject',
      nullable: true,
      description: 'Block in the earlier revision as a document node. Null for added blocks.',
      resolve: ({ before }) => before,
    }),
    afterNode: t.field({
      type: 'JSONObject',
      nullable: true,
      description: 'Block in the later revision as a document node. Null for deleted blocks.',
      resolve: ({ after }) => after,
    }),
    words: t.field({
      type: [SpanType],
      nullable: true,
      description: 'Words of an edited paragraph or heading, in order. Null for other blocks.',
      resolve: ({ words }) => words,
    }),
  }),
});

/** Default and maximum number of blocks in one response. */
const DEFAULT_BLOCKS = 200;
const MAX_BLOCKS = 1_000;

/** The fields of an edit that show the changes of a body. */
export const bodyFields = <Row>(t: FieldsOf<Row>, bodiesOf: (row: Row) => BodyVersions) => ({
  blocks: t.field({
    type: [BlockChangeType],
    description: 'Blocks of the body that differ, in document order. Deleted blocks are at their previous position.',
    args: { first: t.arg.int({ defaultValue: DEFAULT_BLOCKS, description: 'Maximum number of blocks, up to 1,000.' }) },
    resolve: async (row, { first }, ctx) => {
      const changes = await blockChanges(ctx, bodiesOf(row));
      return changes.slice(0, Math.min(Math.max(first ?? DEFAULT_BLOCKS, 0), MAX_BLOCKS));
    },
  }),
  markdown: t.string({
    description: 'Body as Markdown with its changes marked: additions in green, deletions in red and struck through.',
    resolve: (row, _args, ctx) => markedMarkdown(ctx, bodiesOf(row)),
  }),
});
