import { z } from 'zod';
import { IN_PAGES } from '../../../lib/document/markdown/forms.ts';
import { printMarkdown } from '../../../lib/document/markdown/print.ts';
import type { Context } from '../../../platform/context/context.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { hasRoleToRead, permissions } from '../../people/access/index.ts';
import { type SpaceRow, spaceFor } from '../../places/spaces/index.ts';
import { hashOfDocument, loadDocument, placesOfDocument, type StoredDocument } from '../../store/bodies/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { hiddenPages } from '../../store/trees/index.ts';
import { loadRevision } from '../revisions/index.ts';
import { visibleBody, visibleContent } from '../visibility/index.ts';

/** A document that the caller can view. */
export interface VisibleDocument {
  /** Everything that determines the content, besides the claims of the caller's visit. */
  readonly determinedBy: readonly string[];
  /** Reads the content, without parts that are hidden from the caller. */
  read(): Promise<StoredDocument>;
}

export const getDocument = query({
  name: 'getDocument',
  description:
    'Gets a body by its ID if a page or a reusable content in the current primary content of the space uses it. Bodies of other revisions are available through their pages.',
  openToAnonymous: true,
  input: z.object({ spaceId: idOf('space'), documentId: idOf('doc') }),
  authorize: (ctx, { spaceId = '' }) => spaceFor(ctx, spaceId, permissions.getDocument.space),
  async run(ctx, { spaceId, documentId }): Promise<VisibleDocument> {
    const space = await spaceFor(ctx, spaceId, permissions.getDocument.space);
    const hash = await hashOfDocument(ctx, space, documentId);
    const visible = hash && (await visibleTo(ctx, space, { documentId, hash }));
    if (!visible) throw notFound('document', documentId);
    return visible;
  },
});

/** Undefined if the document is only on pages and in reusable contents that the caller does not see. */
async function visibleTo(
  ctx: Context,
  space: SpaceRow,
  { documentId, hash }: { documentId: string; hash: string },
): Promise<VisibleDocument | undefined> {
  const read = () => loadDocument(ctx, space.organizationId, hash);
  if (await hasRoleToRead(ctx, space.id)) return { determinedBy: [documentId], read };
  const revision = await loadRevision(ctx, space.revisionId);
  if (!revision) return undefined;
  if (!(await isOnVisible(ctx, revision, documentId))) return undefined;
  return {
    // Conditions of blocks can contain variables.
    determinedBy: [documentId, revision.id],
    async read() {
      const document = await read();
      const body = await visibleBody(ctx, revision, document.body);
      return body === document.body ? document : { body, markdown: printMarkdown(body, IN_PAGES) };
    },
  };
}

/** Whether the caller sees a page or a reusable content with the document. */
async function isOnVisible(ctx: Context, revision: RevisionRow, documentId: string): Promise<boolean> {
  const visible = await visibleContent(ctx, revision);
  if (!visible) return true;
  const { spaceId: id, organizationId } = revision;
  const { pages, contentIds } = await placesOfDocument(ctx, { id, organizationId }, documentId);
  const hidden = await hiddenPages(ctx, revision);
  return (
    pages.some((page) => !hidden?.has(page)) || contentIds.some((each) => visible.ids['reusable-content'].has(each))
  );
}
