import { z } from 'zod';
import { notFound } from '../../platform/errors.ts';
import { idOf, query } from '../../platform/operation.ts';
import { needs } from '../access/index.ts';
import { spaceFor } from '../spaces/index.ts';
import { findDocument } from './find-document.ts';
import type { StoredDocument } from './load-document.ts';

export const getDocument = query({
  name: 'getDocument',
  description:
    'A body by its id, while a page or a reusable content of the space has it. Other revisions give their bodies by the pages that have them.',
  openToAnonymous: true,
  input: z.object({ spaceId: idOf('space'), documentId: idOf('doc') }),
  authorize: (ctx, { spaceId = '' }) => spaceFor(ctx, spaceId, needs.getDocument.space),
  async run(ctx, { spaceId, documentId }): Promise<StoredDocument> {
    const space = await spaceFor(ctx, spaceId, needs.getDocument.space);
    const document = await findDocument(ctx, space, documentId);
    if (!document) throw notFound('document', documentId);
    return document;
  },
});
