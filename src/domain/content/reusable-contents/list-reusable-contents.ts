import { z } from 'zod';
import { query } from '../../../platform/operation.ts';
import { reusableContentsOf } from '../../store/manifests/index.ts';
import { revisionName, revisionOf } from '../revisions/index.ts';

export const listReusableContents = query({
  name: 'listReusableContents',
  description: 'Lists the reusable contents of a revision, oldest first.',
  openToAnonymous: true,
  input: z.object(revisionName),
  authorize: (ctx, { spaceId = '', revisionId, changeRequestId }) =>
    revisionOf(ctx, { spaceId, revisionId, changeRequestId }),
  run: async (ctx, name) => reusableContentsOf(ctx, (await revisionOf(ctx, name)).revision),
});
