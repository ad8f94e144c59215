import { z } from 'zod';
import type { Conflict } from '../../../lib/merge/conflict.ts';
import type { Context } from '../../../platform/context.ts';
import { command } from '../../../platform/operation.ts';
import {
  authorizeChangeRequest,
  changeRequestFor,
  changeRequestName,
  headIdOf,
  holdChangeRequest,
} from '../../content/change-requests/index.ts';
import type { MergedRevisions } from '../../content/merging/index.ts';
import { permissions } from '../../people/access/index.ts';
import { shown } from './conflicts-of.ts';
import { conflictsAgain, type Outcome } from './outcome.ts';
import { readResolutions, rejectUnsettled, resolutions as resolutionsInput } from './resolutions.ts';
import { rejectMerged, writeUpdate } from './update-from-main.ts';
import { type Attempt, attemptMerge, type Versions, versionsOf } from './versions.ts';

const needed = permissions.resolveChangeRequestConflicts.space;

export const resolveChangeRequestConflicts = command({
  name: 'resolveChangeRequestConflicts',
  description:
    'Brings a change request up to date with the primary content and settles all its conflicts at once, so that they do not ' +
    'come back. A conflict that is not, or no longer, there answers CONFLICT; those that nothing settles BAD_USER_INPUT with ' +
    'their ids. Where settling some brings up others the answer is `CONFLICTS` with those, and nothing is written.',
  input: z.object({ ...changeRequestName, resolutions: resolutionsInput }),
  versioned: 'changeRequestId',
  authorize: authorizeChangeRequest(needed),
  async prepare(ctx, { resolutions: given, changeRequestId, spaceId }) {
    const changeRequest = await changeRequestFor(ctx, changeRequestId, needed, { spaceId });
    rejectMerged(changeRequest);
    const versions = await versionsOf(ctx, changeRequest, await headIdOf(ctx, changeRequest));
    const before = await unsettled(ctx, versions);
    const settled = { conflicts: before, revision: versions.ours };
    const resolutions = await readResolutions(ctx, changeRequest.organizationId, given, settled);
    return { resolutions, before, attempt: await attemptMerge(ctx, versions, undefined, resolutions) };
  },
  async run(ctx, { resolutions: _, ...name }, { resolutions, ...earlier }): Promise<Outcome<'update'>> {
    const changeRequest = await holdChangeRequest(ctx, name, needed);
    rejectMerged(changeRequest);
    const versions = await versionsOf(ctx, changeRequest, await headIdOf(ctx, changeRequest));
    const { attempt, before } = await again(ctx, versions, earlier, resolutions);
    const { id: changeRequestId, revisionId: headId } = changeRequest;
    const { outcome } = attempt;
    if ('merged' in outcome) {
      const isUpToDate = versions.base.id === versions.theirs.id;
      const revisionId = isUpToDate ? headId : await writeUpdate(ctx, changeRequest, versions, outcome.merged);
      return { result: 'update', changeRequestId, revisionId, conflicts: [] };
    }
    rejectUnsettled(outcome, before);
    const conflicts = shown(outcome.conflicts, versions);
    return { result: 'conflicts', changeRequestId, revisionId: headId, conflicts };
  },
  readAgain: conflictsAgain,
});

/** What was worked out before the locks or, where the content has moved on since, what comes of it now. */
async function again(
  ctx: Context,
  versions: Versions,
  earlier: { attempt: Attempt; before: Conflict[] },
  resolutions: MergedRevisions['resolutions'],
) {
  const attempt = await attemptMerge(ctx, versions, earlier.attempt, resolutions);
  return attempt === earlier.attempt ? earlier : { attempt, before: await unsettled(ctx, versions) };
}

/** The conflicts of a merge when nothing settles them. */
async function unsettled(ctx: Context, versions: Versions): Promise<Conflict[]> {
  const { outcome } = await attemptMerge(ctx, versions);
  return 'conflicts' in outcome ? outcome.conflicts : [];
}
