import type { Context } from '../../../platform/context.ts';
import { conflict } from '../../../platform/errors.ts';
import { type ChangeRequestRow, moveChangeRequestHead } from '../../content/change-requests/index.ts';
import { type Merge, storeMerge } from '../../content/merging/index.ts';
import { insertRevision } from '../../store/revisions/index.ts';
import type { Versions } from './versions.ts';

/** Everything but a merged one can be brought up to date (decisions 3). */
export function rejectMerged({ status }: ChangeRequestRow): void {
  if (status === 'merged') throw conflict('This change request is merged; there is nothing left to update.');
}

/**
 * Writes merged content as the next revision of a change request that is held, with both sides as its parents; from then on
 * it goes back to the main revision that it has in it (docs/data-model.md, Worked examples). Answers the id of the revision.
 */
export async function writeUpdate(
  ctx: Context,
  changeRequest: ChangeRequestRow,
  { ours, theirs }: Versions,
  merge: Merge,
): Promise<string> {
  const { id: changeRequestId, organizationId, spaceId } = changeRequest;
  await storeMerge(ctx, organizationId, merge);
  const revision = await insertRevision(ctx, {
    organizationId,
    spaceId,
    type: 'update',
    parents: [ours.id, theirs.id],
    changeRequestId,
    ...merge.content,
  });
  await moveChangeRequestHead(ctx, changeRequest, revision.id, theirs.id);
  return revision.id;
}
