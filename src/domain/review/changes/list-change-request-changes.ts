import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { query } from '../../../platform/operation/operation.ts';
import {
  authorizeChangeRequest,
  type ChangeRequestRow,
  changeRequestFor,
  changeRequestName,
} from '../../content/change-requests/index.ts';
import { loadRevision } from '../../content/revisions/index.ts';
import { permissions } from '../../people/access/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';
import { changesBetween } from './change-list.ts';
import { type ChangeList, changeLimit } from './list-revision-changes.ts';

const needed = permissions.listChangeRequestChanges.space;

export const listChangeRequestChanges = query({
  name: 'listChangeRequestChanges',
  description:
    'Lists the changes of a change request to pages, files, reusable contents and variables, compared with the revision of the primary ' +
    'content that it was created from or last updated with.',
  openToPreviews: true,
  input: z.object({ ...changeRequestName, limit: changeLimit }),
  authorize: authorizeChangeRequest(needed, { openToPreviews: true }),
  async run(ctx, { changeRequestId, spaceId, limit }): Promise<ChangeList> {
    const changeRequest = await changeRequestFor(ctx, changeRequestId, needed, { spaceId, openToPreviews: true });
    const { before, after } = await revisionsOfChanges(ctx, changeRequest);
    return { ...changesBetween(ctx, before, after), limit, revision: after };
  },
});

/**
 * The base and the current revision of a change request that the caller can read. NOT_FOUND if access has been taken
 * away since the change request was read.
 */
export async function revisionsOfChanges(
  ctx: Context,
  { id, revisionId, revisionInitialId, revisionMergedAncestorId }: ChangeRequestRow,
): Promise<{ before: RevisionRow; after: RevisionRow }> {
  const [before, after] = await Promise.all([
    loadRevision(ctx, revisionMergedAncestorId ?? revisionInitialId),
    loadRevision(ctx, revisionId),
  ]);
  if (!before || !after) throw notFound('change request', id);
  return { before, after };
}
