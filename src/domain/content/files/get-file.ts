import { z } from 'zod';
import { notFound } from '../../../platform/errors/errors.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { revisionName, revisionOf } from '../revisions/index.ts';
import { visibleFilesIn } from '../visibility/index.ts';

export const getFile = query({
  name: 'getFile',
  description: 'Gets a file of a revision by its ID.',
  openToAnonymous: true,
  input: z.object({ ...revisionName, fileId: idOf('file') }),
  authorize: (ctx, { spaceId = '', revisionId, changeRequestId }) =>
    revisionOf(ctx, { spaceId, revisionId, changeRequestId }),
  async run(ctx, { fileId, ...name }) {
    const { revision } = await revisionOf(ctx, name);
    const file = (await visibleFilesIn(ctx, revision, [fileId])).get(fileId);
    if (!file) throw notFound('file', fileId);
    return file;
  },
});
