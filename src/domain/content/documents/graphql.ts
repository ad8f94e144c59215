import { builder } from '../../../platform/graphql/builder.ts';
import { readInGraph } from '../../../platform/graphql/coverage.ts';
import { orNull } from '../../../platform/graphql/lookup.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import type { StoredDocument } from '../../store/bodies/index.ts';
import { loadRevision } from '../revisions/index.ts';
import { getDocument } from './get-document.ts';

const AT = '-at-';

const DocumentType = builder.objectRef<StoredDocument & { id: string }>('Document').implement({
  description:
    'The body of a page or a reusable content. Documents are immutable: changing a body creates a new document.',
  fields: (t) => ({
    documentId: t.id({
      description: 'Id of the document within its organization. Equal bodies have equal ids.',
      resolve: ({ id }) => id.split(AT)[0] ?? id,
    }),
    document: t.field({
      type: 'JSONObject',
      description: 'The document in JSON, as it was written.',
      resolve: ({ body }) => body,
    }),
    markdown: t.exposeString('markdown', {
      description: 'The document as Markdown with block extensions. It can be written back.',
    }),
  }),
});

readInGraph(getDocument);
/** Only finds documents in the head of a space. Bodies of other revisions are available through their pages. */
registerNode(
  DocumentType,
  'doc',
  async (ctx, id) => {
    const [documentId = '', revisionId = ''] = id.split(AT);
    const revision = await loadRevision(ctx, revisionId);
    const document = revision && (await orNull(getDocument(ctx, { spaceId: revision.spaceId, documentId })));
    return document && { ...document, id };
  },
  { description: 'Id of the document in a revision: `doc_…-at-rev_…`.' },
);
