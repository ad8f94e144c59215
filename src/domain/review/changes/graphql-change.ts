import type { ContentChange } from '../../../lib/diff/content-diff.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import type { ChangeRow } from './change-list.ts';

/** A change of one kind with the two revisions. */
export type RowOf<Type extends ContentChange['type']> = Omit<ChangeRow, 'change'> & {
  change: Extract<ContentChange, { type: Type }>;
};

/** Names of the graph's types. */
const TYPES: Record<ContentChange['type'], string> = {
  page_created: 'PageCreated',
  page_edited: 'PageEdited',
  page_moved: 'PageMoved',
  page_deleted: 'PageDeleted',
  file_created: 'FileCreated',
  file_edited: 'FileEdited',
  file_deleted: 'FileDeleted',
  reusable_content_created: 'ReusableContentCreated',
  reusable_content_edited: 'ReusableContentEdited',
  reusable_content_deleted: 'ReusableContentDeleted',
  variables_edited: 'VariablesEdited',
};

export const SemanticChangeType = builder.interfaceRef<ChangeRow>('SemanticChange').implement({
  description: 'A change between two revisions of content. A page that was moved and edited has two changes.',
  resolveType: ({ change }) => TYPES[change.type],
  fields: (t) => ({
    targetId: t.id({
      nullable: true,
      description: 'ID of the page, file or reusable content, the same in all revisions. Null for variables.',
      resolve: ({ change }) => targetOf(change),
    }),
  }),
});

function targetOf(change: ContentChange): string | null {
  if ('page' in change) return change.page.pageId;
  if ('entry' in change) return change.entry.id;
  if ('variables' in change) return null;
  return 'pageId' in change.after ? change.after.pageId : change.after.id;
}
