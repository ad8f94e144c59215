import type { ManifestEntry } from '../../../lib/tree/manifest.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { FileType } from '../../content/files/graphql.ts';
import { ReusableContentType } from '../../content/reusable-contents/graphql.ts';
import type {
  FileEntry,
  FileRow,
  ReusableContentEntry,
  ReusableContentRow,
  VariableEntry,
} from '../../store/manifests/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { blockChanges, markedMarkdown } from './bodies.ts';
import { bodyOfEntry, entryFieldChanges } from './field-changes.ts';
import { BLOCKS, BlockChangeType, cutBlocks, FieldChangeType } from './graphql-blocks.ts';
import { type RowOf, SemanticChangeType } from './graphql-change.ts';

const fileAt = (entry: ManifestEntry, { id, organizationId }: RevisionRow): FileRow => ({
  ...(entry as FileEntry), // of the manifest of files
  revisionId: id,
  organizationId,
});

const contentAt = (entry: ManifestEntry, { id, organizationId }: RevisionRow): ReusableContentRow => ({
  ...(entry as ReusableContentEntry), // of the manifest of reusable contents
  revisionId: id,
  organizationId,
});

builder.objectRef<RowOf<'file_created'>>('FileCreated').implement({
  description: 'A file is new.',
  interfaces: [SemanticChangeType],
  fields: (t) => ({
    file: t.field({
      type: FileType,
      description: 'It in the later revision.',
      resolve: ({ change, after }) => fileAt(change.entry, after),
    }),
  }),
});

builder.objectRef<RowOf<'file_deleted'>>('FileDeleted').implement({
  description: 'A file is gone.',
  interfaces: [SemanticChangeType],
  fields: (t) => ({
    file: t.field({
      type: FileType,
      description: 'It as it was.',
      resolve: ({ change, before, after }) => fileAt(change.entry, before ?? after),
    }),
  }),
});

builder.objectRef<RowOf<'file_edited'>>('FileEdited').implement({
  description: 'A file has another name or other bytes.',
  interfaces: [SemanticChangeType],
  fields: (t) => ({
    file: t.field({
      type: FileType,
      description: 'The file as it is.',
      resolve: ({ change, after }) => fileAt(change.after, after),
    }),
    before: t.field({
      type: FileType,
      description: 'The file as it was.',
      resolve: ({ change, before, after }) => fileAt(change.before, before ?? after),
    }),
  }),
});

builder.objectRef<RowOf<'reusable_content_created'>>('ReusableContentCreated').implement({
  description: 'A reusable content is new.',
  interfaces: [SemanticChangeType],
  fields: (t) => ({
    reusableContent: t.field({
      type: ReusableContentType,
      description: 'It in the later revision.',
      resolve: ({ change, after }) => contentAt(change.entry, after),
    }),
  }),
});

builder.objectRef<RowOf<'reusable_content_deleted'>>('ReusableContentDeleted').implement({
  description: 'A reusable content is gone.',
  interfaces: [SemanticChangeType],
  fields: (t) => ({
    reusableContent: t.field({
      type: ReusableContentType,
      description: 'It as it was.',
      resolve: ({ change, before, after }) => contentAt(change.entry, before ?? after),
    }),
  }),
});

const bodiesOf = ({ change, after }: RowOf<'reusable_content_edited'>) => ({
  organizationId: after.organizationId,
  before: bodyOfEntry(change.before),
  after: bodyOfEntry(change.after),
});

builder.objectRef<RowOf<'reusable_content_edited'>>('ReusableContentEdited').implement({
  description: 'The title or the body of a reusable content differs.',
  interfaces: [SemanticChangeType],
  fields: (t) => ({
    reusableContent: t.field({
      type: ReusableContentType,
      description: 'It as it is.',
      resolve: ({ change, after }) => contentAt(change.after, after),
    }),
    before: t.field({
      type: ReusableContentType,
      description: 'It as it was.',
      resolve: ({ change, before, after }) => contentAt(change.before, before ?? after),
    }),
    fields: t.field({
      type: [FieldChangeType],
      description: 'The fields that differ, but for the body.',
      resolve: ({ change }) => entryFieldChanges(change.before, change.after),
    }),
    blocks: t.field({
      type: [BlockChangeType],
      description: 'The blocks of the body that differ, in its order; deleted ones where they stood.',
      args: { first: t.arg.int({ defaultValue: BLOCKS, description: 'How many at most, up to 1,000.' }) },
      resolve: async (row, { first }, ctx) => cutBlocks(await blockChanges(ctx, bodiesOf(row)), first),
    }),
    markdown: t.string({
      description: 'The body as Markdown with its changes marked, as on pages.',
      resolve: (row, _args, ctx) => markedMarkdown(ctx, bodiesOf(row)),
    }),
  }),
});

/** Variables are told as fields, of which there are a thousand at most. */
builder.objectRef<RowOf<'variables_edited'>>('VariablesEdited').implement({
  description: 'Variables of the space differ.',
  interfaces: [SemanticChangeType],
  fields: (t) => ({
    variables: t.field({
      type: [FieldChangeType],
      description: 'The variables that differ, by name.',
      resolve: ({ change }) =>
        change.variables.map(({ id, before, after }) => ({ name: id, ...values(before, after) })),
    }),
  }),
});

const values = (before: ManifestEntry | null, after: ManifestEntry | null) => ({
  before: (before as VariableEntry | null)?.value ?? null, // of the manifest of variables
  after: (after as VariableEntry | null)?.value ?? null, // as above
});
