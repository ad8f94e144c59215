import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import { hasRoleToRead } from '../../people/access/index.ts';
import { findReadPage } from '../computed-sources/index.ts';
import { loadRevision } from '../revisions/index.ts';
import { type PdfLink, type PdfName, signedPdfLink } from './pdf-address.ts';
import { readerOf } from './reader.ts';

/** Input that selects the pages of a PDF. */
export const pdfSelection = {
  pageId: idOf('page').nullish().describe('ID of the page to print, with the pages below it. Default: all pages.'),
  only: z
    .boolean()
    .default(false)
    .describe('Whether to include only the given page, without the pages below it. Requires a page.'),
};

export interface PdfSelection {
  pageId?: string | null | undefined;
  only: boolean;
}

/**
 * Link to a PDF of content that the caller can view. Batched, and without a statement if no page is given. Rejects
 * `only` without a page, and pages that are not in the revision.
 */
export async function selectedPdfLink(
  ctx: Context,
  name: Omit<PdfName, 'pageId' | 'only' | 'reader'>,
  { pageId, only }: PdfSelection,
): Promise<PdfLink> {
  const of = (await hasRoleToRead(ctx, name.spaceId)) ? name : { ...name, reader: readerOf(ctx, name.spaceId) };
  if (pageId == null) {
    if (only) throw badInput(['only'], 'requires pageId.', 'REQUIRED');
    return signedPdfLink(ctx, { ...of, only });
  }
  const revision = await loadRevision(ctx, of.revisionId);
  const page = revision && (await findReadPage(ctx, revision, { pageId }));
  if (!page) throw badInput(['pageId'], `The page "${pageId}" does not exist in this content.`, 'NOT_FOUND');
  return signedPdfLink(ctx, { ...of, pageId, only });
}
