import type { Context } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import type { Kept } from '../../../platform/idempotency/outcome.ts';
import { loadChangeRequest } from '../../content/change-requests/index.ts';
import { conflictsOf, type ShownConflict } from './conflicts-of.ts';

/** What a merge or an update came to: `Done`, or conflicts and nothing written. */
export interface Outcome<Done extends 'merge' | 'update'> {
  result: Done | 'conflicts';
  changeRequestId: string;
  /** What was written or, with conflicts, what the change request was at. */
  revisionId: string;
  conflicts: ShownConflict[];
}

/** A repetition answers with the conflicts as they are now: which are kept by id alone. */
export async function conflictsAgain<Done extends 'merge' | 'update'>(
  ctx: Context,
  kept: Kept<Outcome<Done>>,
): Promise<Outcome<Done>> {
  const { result, changeRequestId, revisionId } = kept as Outcome<Done>; // members without an id are kept as they are
  const changeRequest = await loadChangeRequest(ctx, changeRequestId);
  if (!changeRequest) throw notFound('change request', changeRequestId);
  const conflicts = result === 'conflicts' ? await conflictsOf(ctx, changeRequest) : [];
  return { result, changeRequestId, revisionId, conflicts };
}
