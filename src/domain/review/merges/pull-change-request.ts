import { z } from 'zod';
import { command } from '../../../platform/operation/operation.ts';
import {
  authorizeChangeRequest,
  changeRequestFor,
  changeRequestName,
  headIdOf,
  lockChangeRequest,
} from '../../content/change-requests/index.ts';
import { dryRun } from '../../content/dry-runs/index.ts';
import { permissions } from '../../people/access/index.ts';
import { attemptMerge, revisionsToMerge } from './attempt-merge.ts';
import { toShownConflicts } from './conflicts-of.ts';
import { type MergeResult, reloadMergeOutcome } from './outcome.ts';
import { previewUpdate, rejectMerged, writeUpdate } from './update-from-main.ts';

const needed = permissions.pullChangeRequest.space;

export const pullChangeRequest = command({
  name: 'pullChangeRequest',
  scope: 'propose',
  description:
    'Updates a change request with the changes of the primary content, using a three-way merge. If there are conflicts, ' +
    'nothing is changed and the result is `CONFLICTS`; use another idempotency key after resolving them. If there is nothing to pull, the revision is not changed. CONFLICT ' +
    'if the change request is merged.',
  input: z.object({ ...changeRequestName, dryRun }),
  versioned: 'changeRequestId',
  canDryRun: true,
  authorize: authorizeChangeRequest(needed),
  async prepare(ctx, { changeRequestId, spaceId }) {
    const changeRequest = await changeRequestFor(ctx, changeRequestId, needed, { spaceId });
    rejectMerged(changeRequest);
    return attemptMerge(ctx, await revisionsToMerge(ctx, changeRequest, await headIdOf(ctx, changeRequest)));
  },
  async run(ctx, { dryRun: isDryRun, ...name }, earlier): Promise<MergeResult<'update'>> {
    const changeRequest = await lockChangeRequest(ctx, name, needed);
    rejectMerged(changeRequest);
    const { id: changeRequestId, revisionId: headId } = changeRequest;
    const versions = await revisionsToMerge(ctx, changeRequest, await headIdOf(ctx, changeRequest));
    const unchanged = { changeRequestId, revisionId: headId, previousRevisionId: headId, conflicts: [] };
    const preview = (write: () => Promise<string>) => previewUpdate(ctx, changeRequest, versions.ours, write);
    if (versions.base.id === versions.theirs.id) {
      return { result: 'update', ...unchanged, ...(isDryRun && { preview: await preview(async () => headId) }) };
    }
    const { outcome } = await attemptMerge(ctx, versions, earlier);
    if ('conflicts' in outcome) {
      const conflicts = toShownConflicts(outcome.conflicts, versions);
      return { result: 'conflicts', changeRequestId, revisionId: headId, conflicts };
    }
    const write = () => writeUpdate(ctx, changeRequest, versions, outcome.merged);
    if (isDryRun) return { result: 'update', ...unchanged, preview: await preview(write) };
    return { result: 'update', changeRequestId, revisionId: await write(), previousRevisionId: headId, conflicts: [] };
  },
  readAgain: reloadMergeOutcome,
});
