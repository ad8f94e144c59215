import type { Context } from '../../../platform/context/context.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import type { StoredOutput } from '../../../platform/idempotency/outcome.ts';
import { loadChangeRequest } from '../../content/change-requests/index.ts';
import type { ContentPreview } from '../../content/dry-runs/index.ts';
import { conflictsOf, type ShownConflict } from './conflicts-of.ts';

/** Result of a merge or update. With conflicts nothing was written. */
export interface MergeResult<Done extends 'merge' | 'update'> {
  result: Done | 'conflicts';
  changeRequestId: string;
  /** The written revision. With conflicts, the current revision of the change request. */
  revisionId: string;
  /** For updates, the revision of the change request before: the same if there was nothing to pull. */
  previousRevisionId?: string | undefined;
  conflicts: ShownConflict[];
  /** What the command would change, if it was only tried. */
  preview?: ContentPreview;
}

/**
 * The result of a merge or an update for a repeated idempotency key. Conflicts are not stored, so the current ones are
 * returned.
 */
export async function reloadMergeOutcome<Done extends 'merge' | 'update'>(
  ctx: Context,
  stored: StoredOutput<MergeResult<Done>>,
): Promise<MergeResult<Done>> {
  const { result, changeRequestId, revisionId, previousRevisionId } = stored as MergeResult<Done>; // stored unchanged
  const changeRequest = await loadChangeRequest(ctx, changeRequestId);
  if (!changeRequest) throw notFound('change request', changeRequestId);
  const conflicts = result === 'conflicts' ? await conflictsOf(ctx, changeRequest) : [];
  return { result, changeRequestId, revisionId, previousRevisionId, conflicts };
}
