import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { revisionName, revisionOf } from '../revisions/index.ts';
import { visibleContentsOf } from '../visibility/index.ts';

export const listReusableContents = query({
  name: 'listReusableContents',
  description: 'Lists the reusable contents of a revision, oldest first.',
  openToAnonymous: true,
  input: z.object(revisionName),
  authorize: (ctx, { spaceId = '', revisionId, changeRequestId }) =>
    revisionOf(ctx, { spaceId, revisionId, changeRequestId }),
  run: async (ctx, name) => visibleContentsOf(ctx, (await revisionOf(ctx, name)).revision),
});
