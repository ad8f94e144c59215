import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { revisionName, revisionOf } from '../revisions/index.ts';
import { topPages } from './page-view.ts';

export const listPages = query({
  name: 'listPages',
  description: 'Lists the page tree of a revision.',
  openToAnonymous: true,
  input: z.object(revisionName),
  run: async (ctx, name) => topPages(ctx, (await revisionOf(ctx, name)).revision),
});
