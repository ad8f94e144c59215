import { z } from 'zod';
import type { Conflict } from '../../../lib/merge/conflict.ts';
import type { Context } from '../../../platform/context/context.ts';
import { command } from '../../../platform/operation/operation.ts';
import {
  authorizeChangeRequest,
  changeRequestFor,
  changeRequestName,
  headIdOf,
  lockChangeRequest,
} from '../../content/change-requests/index.ts';
import { dryRun } from '../../content/dry-runs/index.ts';
import type { MergedRevisions } from '../../content/merge-content/index.ts';
import { permissions } from '../../people/access/index.ts';
import { attemptMerge, type MergeAttempt, type RevisionsToMerge, revisionsToMerge } from './attempt-merge.ts';
import { toShownConflicts } from './conflicts-of.ts';
import { type MergeResult, reloadMergeOutcome } from './outcome.ts';
import { readResolutions, rejectUnresolved, resolutions as resolutionsInput } from './resolutions.ts';
import { previewUpdate, rejectMerged, writeUpdate } from './update-from-main.ts';

const needed = permissions.resolveChangeRequestConflicts.space;

export const resolveChangeRequestConflicts = command({
  name: 'resolveChangeRequestConflicts',
  scope: 'propose',
  description:
    'Updates a change request with the changes of the primary content and resolves all conflicts at once. Resolved ' +
    'conflicts do not appear again. CONFLICT if a conflict no longer exists, and BAD_USER_INPUT with the IDs of conflicts that ' +
    'have no resolution. If the resolutions cause new conflicts, nothing is changed and the result is `CONFLICTS` with ' +
    'the new ones.',
  input: z.object({ ...changeRequestName, resolutions: resolutionsInput, dryRun }),
  versioned: 'changeRequestId',
  canDryRun: true,
  authorize: authorizeChangeRequest(needed),
  async prepare(ctx, { resolutions: inputs, changeRequestId, spaceId }) {
    const changeRequest = await changeRequestFor(ctx, changeRequestId, needed, { spaceId });
    rejectMerged(changeRequest);
    const versions = await revisionsToMerge(ctx, changeRequest, await headIdOf(ctx, changeRequest));
    const before = await unresolved(ctx, versions);
    const current = { conflicts: before, revision: versions.ours };
    const resolutions = await readResolutions(ctx, changeRequest.organizationId, inputs, current);
    return { resolutions, before, attempt: await attemptMerge(ctx, versions, undefined, resolutions) };
  },
  async run(
    ctx,
    { resolutions: _, dryRun: isDryRun, ...name },
    { resolutions, ...earlier },
  ): Promise<MergeResult<'update'>> {
    const changeRequest = await lockChangeRequest(ctx, name, needed);
    rejectMerged(changeRequest);
    const versions = await revisionsToMerge(ctx, changeRequest, await headIdOf(ctx, changeRequest));
    const { attempt, before } = await again(ctx, versions, earlier, resolutions);
    const { id: changeRequestId, revisionId: headId } = changeRequest;
    const { outcome } = attempt;
    if ('merged' in outcome) {
      const isUpToDate = versions.base.id === versions.theirs.id;
      const write = async () => (isUpToDate ? headId : writeUpdate(ctx, changeRequest, versions, outcome.merged));
      if (isDryRun) {
        const preview = await previewUpdate(ctx, changeRequest, versions.ours, write);
        const unchanged = { changeRequestId, revisionId: headId, previousRevisionId: headId, conflicts: [] };
        return { result: 'update', ...unchanged, preview };
      }
      const revisionId = await write();
      return { result: 'update', changeRequestId, revisionId, previousRevisionId: headId, conflicts: [] };
    }
    rejectUnresolved(outcome, before);
    const conflicts = toShownConflicts(outcome.conflicts, versions);
    return { result: 'conflicts', changeRequestId, revisionId: headId, conflicts };
  },
  readAgain: reloadMergeOutcome,
});

/** The merge computed before the locks, or a new one if the content has changed since. */
async function again(
  ctx: Context,
  versions: RevisionsToMerge,
  earlier: { attempt: MergeAttempt; before: Conflict[] },
  resolutions: MergedRevisions['resolutions'],
) {
  const attempt = await attemptMerge(ctx, versions, earlier.attempt, resolutions);
  return attempt === earlier.attempt ? earlier : { attempt, before: await unresolved(ctx, versions) };
}

/** The conflicts of a merge without resolutions. */
async function unresolved(ctx: Context, versions: RevisionsToMerge): Promise<Conflict[]> {
  const { outcome } = await attemptMerge(ctx, versions);
  return 'conflicts' in outcome ? outcome.conflicts : [];
}
