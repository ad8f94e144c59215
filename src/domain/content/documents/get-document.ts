import { z } from 'zod';
import { IN_PAGES } from '../../../lib/document/markdown/forms.ts';
import { printMarkdown } from '../../../lib/document/markdown/print.ts';
import type { Context } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { idOf, query } from '../../../platform/operation.ts';
import { permissions, seesAll } from '../../people/access/index.ts';
import { type SpaceRow, spaceFor } from '../../places/spaces/index.ts';
import { findDocument, placesOfDocument, type StoredDocument } from '../../store/bodies/index.ts';
import { hiddenPages } from '../../store/trees/index.ts';
import { seenBody } from '../rendering/index.ts';
import { loadRevision } from '../revisions/index.ts';

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
    const seen = document && (await seenBy(ctx, space, documentId, document));
    if (!seen) throw notFound('document', documentId);
    return seen;
  },
});

/** The document without what is hidden from the caller; undefined if it is only on pages that are hidden. */
async function seenBy(
  ctx: Context,
  space: SpaceRow,
  documentId: string,
  document: StoredDocument,
): Promise<StoredDocument | undefined> {
  if (await seesAll(ctx, space.id)) return document;
  const revision = await loadRevision(ctx, space.revisionId);
  if (!revision) return undefined;
  const hidden = await hiddenPages(ctx, revision);
  const places = hidden && (await placesOfDocument(ctx, space, documentId));
  if (places && !places.isInReusableContent && places.pages.every((page) => hidden.has(page))) return undefined;
  const body = await seenBody(ctx, revision, document.body);
  return body === document.body ? document : { body, markdown: printMarkdown(body, IN_PAGES) };
}
