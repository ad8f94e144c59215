import { z } from 'zod';
import { idOf, query } from '../../platform/operation.ts';
import { revisionFor } from '../revisions/index.ts';
import { topPages } from './page-view.ts';

export const listPages = query({
  name: 'listPages',
  description: 'The page tree of a revision.',
  openToAnonymous: true,
  input: z.object({
    spaceId: idOf('space'),
    revisionId: idOf('rev').nullish().describe('The revision; the head when absent.'),
    metadata: z.boolean().default(true).describe('Whether git metadata is included.'),
    computed: z.boolean().default(true).describe('Whether computed pages are computed.'),
  }),
  async run(ctx, { spaceId, revisionId }) {
    const { revision } = await revisionFor(ctx, spaceId, revisionId);
    return topPages(ctx, revision);
  },
});
