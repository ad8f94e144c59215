import { z } from 'zod';
import { idOf, query } from '../../platform/operation.ts';
import { revisionFor } from '../revisions/index.ts';
import { filesOf } from './files-of.ts';

/** Names a revision of a space, for every operation that reads files. */
export const ofRevision = {
  spaceId: idOf('space'),
  revisionId: idOf('rev').nullish().describe('The revision; the head when absent.'),
  metadata: z.boolean().default(true).describe('Whether git metadata is included.'),
  computed: z.boolean().default(true).describe('Whether files of computed pages are included.'),
};

export const listFiles = query({
  name: 'listFiles',
  description: 'The files of a revision, oldest first.',
  openToAnonymous: true,
  input: z.object(ofRevision),
  authorize: (ctx, { spaceId = '', revisionId }) => revisionFor(ctx, spaceId, revisionId || null),
  async run(ctx, { spaceId, revisionId }) {
    const { revision } = await revisionFor(ctx, spaceId, revisionId);
    return filesOf(ctx, revision);
  },
});
