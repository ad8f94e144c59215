import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { pdfSelection, selectedPdfLink } from './pdf-selection.ts';

export const getSpacePdf = query({
  name: 'getSpacePdf',
  description:
    'Gets a link to a PDF of the current content of a space, or of a page and the pages below it, with a cover and a table of ' +
    'contents. The link is returned at once and works for an hour without a token. Its URL responds with 503 and ' +
    '`Retry-After` while the PDF is being created. At most 5,000 pages.',
  openToAnonymous: true,
  input: z.object({ spaceId: idOf('space'), ...pdfSelection }),
  async run(ctx, { spaceId, ...choice }) {
    const space = await spaceFor(ctx, spaceId, permissions.getSpacePdf.space);
    return selectedPdfLink(ctx, { spaceId: space.id, revisionId: space.revisionId }, choice);
  },
});
