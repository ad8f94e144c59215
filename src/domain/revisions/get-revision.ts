import { z } from 'zod';
import { idOf, query } from '../../platform/operation.ts';
import { revisionFor } from './access.ts';

export const getRevision = query({
  name: 'getRevision',
  description: 'A revision of a space: the head, or the one named.',
  openToAnonymous: true,
  input: z.object({
    spaceId: idOf('space'),
    revisionId: idOf('rev').nullish().describe('The revision; the head when absent.'),
    metadata: z.boolean().default(true).describe('Whether git metadata is included.'),
    computed: z.boolean().default(true).describe('Whether computed pages are computed.'),
  }),
  run: async (ctx, { spaceId, revisionId }) => (await revisionFor(ctx, spaceId, revisionId)).revision,
});
