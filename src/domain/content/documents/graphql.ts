import { builder } from '../../../platform/graphql/builder.ts';
import { orNull } from '../../../platform/graphql/lookup.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import type { StoredDocument } from '../../store/bodies/index.ts';
import { findInRevision, stableIdOf } from '../revisions/index.ts';
import { getDocument } from './get-document.ts';

const DocumentType = builder.objectRef<StoredDocument & { id: string }>('Document').implement({
  description:
    'The body of a page or a reusable content. Documents are immutable: changing a body creates a new document.',
  fields: (t) => ({
    documentId: t.id({
      description: 'ID of the document within its organization. Equal bodies have equal IDs.',
      resolve: ({ id }) => stableIdOf(id),
    }),
    document: t.field({
      type: 'JSONObject',
      description: 'The document in JSON, as it was written.',
      resolve: ({ body }) => body,
    }),
    markdown: t.exposeString('markdown', {
      description: 'The document as Markdown with block extensions. Inputs accept it without loss.',
    }),
  }),
});

readInGraph(getDocument);
/** Only finds documents in the head of a space. Bodies of other revisions are available through their pages. */
registerNode(
  DocumentType,
  'doc',
  (ctx, id) =>
    findInRevision(ctx, id, async ({ spaceId }, documentId) => {
      const document = await orNull(getDocument(ctx, { spaceId, documentId }));
      return document && { ...(await document.read()), id };
    }),
  { description: 'ID of the document in a revision: `doc_…-at-rev_…`.' },
);
