import type { ManifestEntry } from '../../../lib/tree/manifest.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { FileType } from '../../content/files/graphql.ts';
import { PageNodeType } from '../../content/pages/graphql.ts';
import { viewOf } from '../../content/pages/index.ts';
import { ReusableContentType } from '../../content/reusable-contents/graphql.ts';
import type {
  FileEntry,
  FileRow,
  ReusableContentEntry,
  ReusableContentRow,
  VariableEntry,
} from '../../store/manifests/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { markedBody } from './bodies.ts';
import { bodyOfEntry, entryFieldChanges, pageFieldChanges } from './field-changes.ts';
import { bodyFields, FieldChangeType } from './graphql-blocks.ts';
import { type RowOf, SemanticChangeType } from './graphql-change.ts';

/** A type of content and how an object of it is read from a revision. */
interface Content<Type, Item, View> {
  type: Type;
  at(item: Item, revision: RevisionRow): View;
}

const page = { type: PageNodeType, at: viewOf };

const file = {
  type: FileType,
  at: (entry: ManifestEntry, { id, organizationId }: RevisionRow): FileRow => ({
    ...(entry as FileEntry), // of the manifest of files
    revisionId: id,
    organizationId,
  }),
};

const reusableContent = {
  type: ReusableContentType,
  at: (entry: ManifestEntry, { id, organizationId }: RevisionRow): ReusableContentRow => ({
    ...(entry as ReusableContentEntry), // of the manifest of reusable contents
    revisionId: id,
    organizationId,
  }),
};

/** A field with the object that the change has under `key`, in the later revision. */
const later = <Key extends string, Type, Item, View>(
  { type, at }: Content<Type, Item, View>,
  key: Key,
  description: string,
) => ({
  type,
  description,
  resolve: ({ change, after }: { change: Record<Key, Item>; after: RevisionRow }) => at(change[key], after),
});

/** Like `later`, in the earlier revision. */
const earlier = <Key extends string, Type, Item, View>(
  { type, at }: Content<Type, Item, View>,
  key: Key,
  description: string,
) => ({
  type,
  description,
  resolve: ({ change, before, after }: { change: Record<Key, Item>; before: RevisionRow | null; after: RevisionRow }) =>
    at(change[key], before ?? after),
});

const interfaces = [SemanticChangeType];

builder.objectRef<RowOf<'page_created'>>('PageCreated').implement({
  description: 'A page was created.',
  interfaces,
  fields: (t) => ({ page: t.field(later(page, 'page', 'The page in the later revision.')) }),
});

builder.objectRef<RowOf<'page_deleted'>>('PageDeleted').implement({
  description: 'A page was deleted.',
  interfaces,
  fields: (t) => ({ page: t.field(earlier(page, 'page', 'The page in the earlier revision.')) }),
});

builder.objectRef<RowOf<'page_moved'>>('PageMoved').implement({
  description: 'A page was moved, together with all pages below it.',
  interfaces,
  fields: (t) => ({
    page: t.field(later(page, 'after', 'The page in the later revision.')),
    from: t.field(earlier(page, 'before', 'The page at its previous position.')),
    to: t.field(later(page, 'after', 'The page at its new position.')),
    fromParent: t.field({
      type: PageNodeType,
      nullable: true,
      description: 'Previous parent page. Null for the top level.',
      resolve: ({ change: { parents }, before, after }) => parents.before && viewOf(parents.before, before ?? after),
    }),
    toParent: t.field({
      type: PageNodeType,
      nullable: true,
      description: 'New parent page. Null for the top level.',
      resolve: ({ change: { parents }, after }) => parents.after && viewOf(parents.after, after),
    }),
  }),
});

const bodiesOfPage = ({ change, after }: RowOf<'page_edited'>) => ({
  organizationId: after.organizationId,
  before: change.before.documentHash,
  after: change.after.documentHash,
  revision: after,
});

builder.objectRef<RowOf<'page_edited'>>('PageEdited').implement({
  description: 'Fields or the body of a page were edited.',
  interfaces,
  fields: (t) => ({
    page: t.field(later(page, 'after', 'The page in the later revision.')),
    before: t.field(earlier(page, 'before', 'The page in the earlier revision.')),
    fields: t.field({
      type: [FieldChangeType],
      description: 'Fields that differ, including `document` for the body.',
      resolve: ({ change }, _args, ctx) => pageFieldChanges(ctx, change.fields, change.before, change.after),
    }),
    ...bodyFields(t, bodiesOfPage),
    document: t.field({
      type: 'JSONObject',
      description: 'Body as a document with its changes marked in the same way as in `markdown`.',
      resolve: (row, _args, ctx) => markedBody(ctx, bodiesOfPage(row)),
    }),
  }),
});

builder.objectRef<RowOf<'file_created'>>('FileCreated').implement({
  description: 'A file was created.',
  interfaces,
  fields: (t) => ({ file: t.field(later(file, 'entry', 'The file in the later revision.')) }),
});

builder.objectRef<RowOf<'file_deleted'>>('FileDeleted').implement({
  description: 'A file was deleted.',
  interfaces,
  fields: (t) => ({ file: t.field(earlier(file, 'entry', 'The file in the earlier revision.')) }),
});

builder.objectRef<RowOf<'file_edited'>>('FileEdited').implement({
  description: 'A file was renamed or its content was replaced.',
  interfaces,
  fields: (t) => ({
    file: t.field(later(file, 'after', 'The file in the later revision.')),
    before: t.field(earlier(file, 'before', 'The file in the earlier revision.')),
  }),
});

builder.objectRef<RowOf<'reusable_content_created'>>('ReusableContentCreated').implement({
  description: 'A reusable content was created.',
  interfaces,
  fields: (t) => ({
    reusableContent: t.field(later(reusableContent, 'entry', 'The reusable content in the later revision.')),
  }),
});

builder.objectRef<RowOf<'reusable_content_deleted'>>('ReusableContentDeleted').implement({
  description: 'A reusable content was deleted.',
  interfaces,
  fields: (t) => ({
    reusableContent: t.field(earlier(reusableContent, 'entry', 'The reusable content in the earlier revision.')),
  }),
});

builder.objectRef<RowOf<'reusable_content_edited'>>('ReusableContentEdited').implement({
  description: 'The title or body of a reusable content was edited.',
  interfaces,
  fields: (t) => ({
    reusableContent: t.field(later(reusableContent, 'after', 'The reusable content in the later revision.')),
    before: t.field(earlier(reusableContent, 'before', 'The reusable content in the earlier revision.')),
    fields: t.field({
      type: [FieldChangeType],
      description: 'Fields that differ, except for the body.',
      resolve: ({ change }) => entryFieldChanges(change.before, change.after),
    }),
    ...bodyFields(t, ({ change, after }) => ({
      organizationId: after.organizationId,
      before: bodyOfEntry(change.before),
      after: bodyOfEntry(change.after),
      revision: after,
    })),
  }),
});

// A plain list: a space has at most 1,000 variables.
builder.objectRef<RowOf<'variables_edited'>>('VariablesEdited').implement({
  description: 'Variables of the space were created, edited or deleted.',
  interfaces,
  fields: (t) => ({
    variables: t.field({
      type: [FieldChangeType],
      description: 'Variables that differ, by name.',
      resolve: ({ change }) =>
        change.variables.map(({ id, before, after }) => ({
          name: id,
          before: variableValue(before),
          after: variableValue(after),
        })),
    }),
  }),
});

const variableValue = (entry: ManifestEntry | null) => (entry as VariableEntry | null)?.value ?? null; // of the manifest of variables
