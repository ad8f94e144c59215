import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { revisionName, revisionOf } from '../revisions/index.ts';
import { visibleFilesOf } from '../visibility/index.ts';

export const listFiles = query({
  name: 'listFiles',
  description: 'Lists the files of a revision, oldest first.',
  openToAnonymous: true,
  input: z.object(revisionName),
  authorize: (ctx, { spaceId = '', revisionId, changeRequestId }) =>
    revisionOf(ctx, { spaceId, revisionId, changeRequestId }),
  run: async (ctx, name) => visibleFilesOf(ctx, (await revisionOf(ctx, name)).revision),
});
