import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { query } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { type ChangeRequestRow, changeRequestFor, changeRequestName } from '../change-requests/index.ts';
import { chosenPdf, type PdfChoice, pdfChoice } from './choice.ts';

const needed = permissions.getChangeRequestPdf.space;

export const getChangeRequestPdf = query({
  name: 'getChangeRequestPdf',
  description:
    'The address of a PDF of the content of a change request, or of a page with those below it, with what it changes ' +
    'marked: added text in green, deleted text in red with a line through it. It is answered at once, works for an hour ' +
    'without a token, and answers 503 with `Retry-After` while the PDF is being made. Up to 1,000 pages.',
  input: z.object({ ...changeRequestName, ...pdfChoice }),
  authorize: (ctx, { changeRequestId = '', spaceId }) =>
    changeRequestFor(ctx, changeRequestId, needed, { spaceId: spaceId || null }),
  async run(ctx, { changeRequestId, spaceId, ...choice }) {
    return changeRequestPdf(ctx, await changeRequestFor(ctx, changeRequestId, needed, { spaceId }), choice);
  },
});

/** The address of the PDF of a change request that the caller may see. */
export const changeRequestPdf = (ctx: Context, changeRequest: ChangeRequestRow, choice: PdfChoice) =>
  chosenPdf(
    ctx,
    {
      spaceId: changeRequest.spaceId,
      revisionId: changeRequest.revisionId,
      sinceId: changeRequest.revisionMergedAncestorId ?? changeRequest.revisionInitialId,
      changeRequestId: changeRequest.id,
    },
    choice,
  );
