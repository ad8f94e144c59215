import { z } from 'zod';
import { notFound } from '../../../platform/errors.ts';
import { idOf, query } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import type { StoredDocument } from '../../store/bodies/index.ts';
import { findDocument } from '../../store/bodies/index.ts';

export const getDocument = query({
  name: 'getDocument',
  description:
    'Gets a body by its ID if a page or a reusable content in the current primary content of the space uses it. Bodies of other revisions are available through their pages.',
  openToAnonymous: true,
  input: z.object({ spaceId: idOf('space'), documentId: idOf('doc') }),
  authorize: (ctx, { spaceId = '' }) => spaceFor(ctx, spaceId, permissions.getDocument.space),
  async run(ctx, { spaceId, documentId }): Promise<StoredDocument> {
    const space = await spaceFor(ctx, spaceId, permissions.getDocument.space);
    const document = await findDocument(ctx, space, documentId);
    if (!document) throw notFound('document', documentId);
    return document;
  },
});
