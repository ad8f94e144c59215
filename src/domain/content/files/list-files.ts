import { z } from 'zod';
import { query } from '../../../platform/operation.ts';
import { filesOf } from '../../store/manifests/index.ts';
import { revisionName, revisionOf } from '../revisions/index.ts';

export const listFiles = query({
  name: 'listFiles',
  description: 'Lists the files of a revision, oldest first.',
  openToAnonymous: true,
  input: z.object(revisionName),
  authorize: (ctx, { spaceId = '', revisionId, changeRequestId }) =>
    revisionOf(ctx, { spaceId, revisionId, changeRequestId }),
  run: async (ctx, name) => filesOf(ctx, (await revisionOf(ctx, name)).revision),
});
