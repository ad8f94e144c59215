import type { BlockChange } from '../../../lib/diff/block-changes.ts';
import type { Span } from '../../../lib/diff/word-diff.ts';
import type { Block } from '../../../lib/document/document.ts';
import { documentOf } from '../../../lib/document/empty.ts';
import { printMarkdown } from '../../../lib/document/markdown/print.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { blockChangeKind, wordChange } from './enums.ts';
import type { FieldChange } from './field-changes.ts';

export const FieldChangeType = builder.objectRef<FieldChange>('FieldChange').implement({
  description: 'A field that differs.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name; `document` is the body, named by its id.' }),
    before: t.expose('before', { type: 'JSON', nullable: true, description: 'What it was; null: nothing.' }),
    after: t.expose('after', { type: 'JSON', nullable: true, description: 'What it is; null: nothing.' }),
  }),
});

const SpanType = builder.objectRef<Span>('WordSpan').implement({
  description: 'A piece of a line that stayed, came or went.',
  fields: (t) => ({
    change: t.expose('change', { type: enumType(wordChange), description: 'What became of it.' }),
    text: t.exposeString('text', { description: 'What it says, without marks.' }),
  }),
});

const markdownOf = (block: Block | null) => block && printMarkdown(documentOf([block]));

export const BlockChangeType = builder.objectRef<BlockChange>('BlockChange').implement({
  description: 'A block at the top level of a body that differs.',
  fields: (t) => ({
    kind: t.expose('kind', { type: enumType(blockChangeKind), description: 'What became of it.' }),
    key: t.exposeString('key', { description: 'Names the block in its document, before and after.' }),
    before: t.string({
      nullable: true,
      description: 'The block as it was, as Markdown; null when it is new.',
      resolve: ({ before }) => markdownOf(before),
    }),
    after: t.string({
      nullable: true,
      description: 'The block as it is, as Markdown; null when it is gone.',
      resolve: ({ after }) => markdownOf(after),
    }),
    beforeNode: t.field({
      type: 'JSONObject',
      nullable: true,
      description: 'The block as it was, as a node of a document.',
      resolve: ({ before }) => before,
    }),
    afterNode: t.field({
      type: 'JSONObject',
      nullable: true,
      description: 'The block as it is, as a node of a document.',
      resolve: ({ after }) => after,
    }),
    words: t.field({
      type: [SpanType],
      nullable: true,
      description: 'Of an edited line of text (a paragraph or heading): its words in order. Null on others.',
      resolve: ({ words }) => words,
    }),
  }),
});

/** So many blocks are told of one body unless more, or fewer, are asked for. */
export const BLOCKS = 200;
const MOST_BLOCKS = 1_000;

export const cutBlocks = (changes: BlockChange[], first: number | null | undefined): BlockChange[] =>
  changes.slice(0, Math.min(Math.max(first ?? BLOCKS, 0), MOST_BLOCKS));
