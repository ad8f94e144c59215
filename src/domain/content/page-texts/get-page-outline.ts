import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { documentPageFor, pageName } from './get-page-text.ts';
import { lineRange } from './page-lines.ts';
import { pageOutline } from './page-outline.ts';

export const getPageOutline = query({
  name: 'getPageOutline',
  description:
    'Gets the headings and blocks of a page with their lines, sizes and versions, so that parts of a long page can be read and edited. NOT_FOUND for pages without a body, such as links.',
  openToAnonymous: true,
  input: z.object({ ...pageName, ...lineRange }),
  run: async (ctx, { from, to, ...name }) => pageOutline(ctx, await documentPageFor(ctx, name), { from, to }),
});
