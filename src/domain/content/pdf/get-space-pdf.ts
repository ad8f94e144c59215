import { z } from 'zod';
import { idOf, query } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { chosenPdf, pdfChoice } from './choice.ts';

export const getSpacePdf = query({
  name: 'getSpacePdf',
  description:
    "The address of a PDF of a space's content as it is now, or of a page with those below it: with a cover and a table of " +
    'contents. It is answered at once, works for an hour without a token, and answers 503 with `Retry-After` while the PDF ' +
    'is being made. Up to 1,000 pages.',
  openToAnonymous: true,
  input: z.object({ spaceId: idOf('space'), ...pdfChoice }),
  async run(ctx, { spaceId, ...choice }) {
    const space = await spaceFor(ctx, spaceId, permissions.getSpacePdf.space);
    return chosenPdf(ctx, { spaceId: space.id, revisionId: space.revisionId }, choice);
  },
});
