import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { type ChangeRequestRow, changeRequestFor, changeRequestName } from '../change-requests/index.ts';
import { type PdfSelection, pdfSelection, selectedPdfLink } from './pdf-selection.ts';

const needed = permissions.getChangeRequestPdf.space;

export const getChangeRequestPdf = query({
  name: 'getChangeRequestPdf',
  description:
    'Gets a link to a PDF of the content of a change request, or of a page and the pages below it. Changes are marked: added ' +
    'text in green, deleted text struck through in red. The link is returned at once and works for an hour without a token. ' +
    'Its URL responds with 503 and `Retry-After` while the PDF is being created. At most 5,000 pages.',
  input: z.object({ ...changeRequestName, ...pdfSelection }),
  authorize: (ctx, { changeRequestId = '', spaceId }) =>
    changeRequestFor(ctx, changeRequestId, needed, { spaceId: spaceId || null }),
  async run(ctx, { changeRequestId, spaceId, ...choice }) {
    return changeRequestPdf(ctx, await changeRequestFor(ctx, changeRequestId, needed, { spaceId }), choice);
  },
});

/** Link to the PDF of a change request that the caller can view. */
export const changeRequestPdf = (ctx: Context, changeRequest: ChangeRequestRow, choice: PdfSelection) =>
  selectedPdfLink(
    ctx,
    {
      spaceId: changeRequest.spaceId,
      revisionId: changeRequest.revisionId,
      sinceId: changeRequest.revisionMergedAncestorId ?? changeRequest.revisionInitialId,
      changeRequestId: changeRequest.id,
    },
    choice,
  );
