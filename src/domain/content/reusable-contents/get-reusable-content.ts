import { z } from 'zod';
import { notFound } from '../../../platform/errors/errors.ts';
import { idOf, query } from '../../../platform/operation/operation.ts';
import type { ReusableContentRow } from '../../store/manifests/index.ts';
import { revisionName, revisionOf } from '../revisions/index.ts';
import { visibleContentsIn } from '../visibility/index.ts';

export const getReusableContent = query({
  name: 'getReusableContent',
  description: 'Gets a reusable content of a revision by its ID.',
  openToAnonymous: true,
  input: z.object({ ...revisionName, reusableContentId: idOf('reusable') }),
  authorize: (ctx, { spaceId = '', revisionId, changeRequestId }) =>
    revisionOf(ctx, { spaceId, revisionId, changeRequestId }),
  async run(ctx, { reusableContentId, ...name }): Promise<ReusableContentRow> {
    const { revision } = await revisionOf(ctx, name);
    const content = (await visibleContentsIn(ctx, revision, [reusableContentId])).get(reusableContentId);
    if (!content) throw notFound('reusable content', reusableContentId);
    return content;
  },
});
