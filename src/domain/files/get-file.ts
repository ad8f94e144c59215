import { z } from 'zod';
import { notFound } from '../../platform/errors.ts';
import { idOf, query } from '../../platform/operation.ts';
import { revisionFor } from '../revisions/index.ts';
import { fileIn } from './file-row.ts';
import { ofRevision } from './list-files.ts';

export const getFile = query({
  name: 'getFile',
  description: 'A file of a revision, by its id.',
  openToAnonymous: true,
  input: z.object({ ...ofRevision, fileId: idOf('file') }),
  authorize: (ctx, { spaceId = '', revisionId }) => revisionFor(ctx, spaceId, revisionId || null),
  async run(ctx, { spaceId, revisionId, fileId }) {
    const { revision } = await revisionFor(ctx, spaceId, revisionId);
    const file = await fileIn(ctx, revision, fileId);
    if (!file) throw notFound('file', fileId);
    return file;
  },
});
