import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { badInput } from '../../../platform/errors.ts';
import { idOf } from '../../../platform/operation.ts';
import { findPage } from '../../store/trees/index.ts';
import { loadRevision } from '../revisions/index.ts';
import { linkTo, type PdfLink, type PdfName } from './pdf-address.ts';

/** Which pages a PDF shows. */
export const pdfChoice = {
  pageId: idOf('page').nullish().describe('The page that it begins with; all pages when absent.'),
  only: z.boolean().default(false).describe('That page alone, without those below it. Needs a page.'),
};

export interface PdfChoice {
  pageId?: string | null | undefined;
  only: boolean;
}

/**
 * The address of a PDF of content that the caller may see. Batched, and without a statement where no page is named.
 * Refuses `only` without a page (decisions 4.4), and pages that the revision does not have.
 */
export async function chosenPdf(
  ctx: Context,
  of: Omit<PdfName, 'pageId' | 'only'>,
  { pageId, only }: PdfChoice,
): Promise<PdfLink> {
  if (pageId == null) {
    if (only) throw badInput(['only'], 'Name the page that shall stand alone.');
    return linkTo(ctx, { ...of, only });
  }
  const revision = await loadRevision(ctx, of.revisionId);
  const page = revision && (await findPage(ctx, revision, { pageId }));
  if (!page) throw badInput(['pageId'], `There is no page "${pageId}" in this content.`);
  return linkTo(ctx, { ...of, pageId, only });
}
