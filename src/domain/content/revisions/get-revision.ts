import { z } from 'zod';
import { query } from '../../../platform/operation/operation.ts';
import { revisionName, revisionOf } from './access.ts';

export const getRevision = query({
  name: 'getRevision',
  description:
    'Gets a revision of a space: the current revision of the primary content, a revision by ID, or the current revision of a change request.',
  openToAnonymous: true,
  input: z.object(revisionName),
  run: async (ctx, name) => (await revisionOf(ctx, name)).revision,
});
