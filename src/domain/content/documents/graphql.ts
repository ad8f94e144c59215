import { builder } from '../../../platform/graphql/builder.ts';
import { readInGraph } from '../../../platform/graphql/coverage.ts';
import { orNull } from '../../../platform/graphql/lookup.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import type { StoredDocument } from '../../store/bodies/index.ts';
import { loadRevision } from '../revisions/index.ts';
import { getDocument } from './get-document.ts';

const AT = '-at-';

const DocumentType = builder.objectRef<StoredDocument & { id: string }>('Document').implement({
  description: 'The body of a page or a reusable content. It never changes: another body is another document.',
  fields: (t) => ({
    documentId: t.id({
      description: 'Names it in its organization: equal bodies have equal ids.',
      resolve: ({ id }) => id.split(AT)[0] ?? id,
    }),
    document: t.field({
      type: 'JSONObject',
      description: 'As a document in JSON, as it was written.',
      resolve: ({ body }) => body,
    }),
    markdown: t.exposeString('markdown', { description: 'As Markdown with block extensions; can be written back.' }),
  }),
});

readInGraph(getDocument);
/** In the revision that the head of a space is at; other revisions give their bodies by the pages that have them. */
registerNode(
  DocumentType,
  'doc',
  async (ctx, id) => {
    const [documentId = '', revisionId = ''] = id.split(AT);
    const revision = await loadRevision(ctx, revisionId);
    const document = revision && (await orNull(getDocument(ctx, { spaceId: revision.spaceId, documentId })));
    return document && { ...document, id };
  },
  { description: 'Names the document in a revision: `doc_…-at-rev_…`.' },
);
