import { z } from 'zod';
import { remember } from '../../../lib/tree/source.ts';
import { requireUserId } from '../../../platform/access/actor.ts';
import type { Role } from '../../../platform/access/roles.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { ApiError, conflict } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import {
  authorizeChangeRequest,
  type ChangeRequestName,
  type ChangeRequestRow,
  changeRequestFor,
  changeRequestName,
  headIdOf,
} from '../../content/change-requests/index.ts';
import { brokenLinks, dryRun, previewChanges } from '../../content/dry-runs/index.ts';
import { headVersion } from '../../content/links/index.ts';
import { type Merge, storeMerge } from '../../content/merge-content/index.ts';
import { permissions } from '../../people/access/index.ts';
import { type SpaceRow, spaceFor } from '../../places/spaces/index.ts';
import { moveHead } from '../../store/heads/index.ts';
import { tooManyIn } from '../../store/manifests/index.ts';
import { contentIn, insertRevision, type RevisionRow } from '../../store/revisions/index.ts';
import { nodeSource } from '../../store/trees/index.ts';
import { attemptMerge, type RevisionsToMerge, revisionsToMerge } from './attempt-merge.ts';
import { type ShownConflict, toShownConflicts } from './conflicts-of.ts';
import { type MergeResult, reloadMergeOutcome } from './outcome.ts';
import { unmetRulesOf } from './rules-of.ts';
import type { UnmetRule } from './unmet-rules.ts';

const needed = permissions.mergeChangeRequest.space;

export const mergeChangeRequest = command({
  name: 'mergeChangeRequest',
  scope: 'merge',
  description:
    'Merges a change request into the primary content with a three-way merge. If there are conflicts, nothing is changed ' +
    'and the result is `CONFLICTS`; resolve them with `resolveChangeRequestConflicts`, and merge with another idempotency key. Works on locked spaces, and on ' +
    'draft and archived change requests. Merging a merged change request returns the same result again. ' +
    'PRECONDITION_FAILED lists the merge rules that are not met.',
  input: z.object({ ...changeRequestName, dryRun }),
  versioned: 'changeRequestId',
  canDryRun: true,
  authorize: authorizeChangeRequest(needed),
  async mutexKey(ctx, { changeRequestId, spaceId }) {
    return `merge:${(await changeRequestFor(ctx, changeRequestId, needed, { spaceId })).spaceId}`;
  },
  async prepare(ctx, { changeRequestId, spaceId }) {
    const changeRequest = await changeRequestFor(ctx, changeRequestId, needed, { spaceId });
    if (changeRequest.status === 'merged') return undefined;
    return attemptMerge(ctx, await revisionsToMerge(ctx, changeRequest, await headIdOf(ctx, changeRequest)));
  },
  async run(ctx, { dryRun: isDryRun, ...name }, earlier): Promise<MergeResult<'merge'>> {
    const { space, changeRequest } = await lockForMerge(ctx, name, needed);
    const { id: changeRequestId, revisionMergedId } = changeRequest;
    if (changeRequest.status === 'merged' && revisionMergedId !== null) {
      return { result: 'merge', changeRequestId, revisionId: revisionMergedId, conflicts: [] };
    }
    rejectUnmet(await unmetRulesOf(ctx, changeRequest));
    const versions = await revisionsToMerge(ctx, changeRequest, space.revisionId);
    const { outcome } = await attemptMerge(ctx, versions, earlier);
    if ('conflicts' in outcome) {
      const conflicts: ShownConflict[] = toShownConflicts(outcome.conflicts, versions);
      return { result: 'conflicts', changeRequestId, revisionId: changeRequest.revisionId, conflicts };
    }
    const content = headVersion(space.id, space.organizationId);
    const broken = isDryRun ? await brokenLinks(ctx, content) : [];
    const revision = await writeMerge(ctx, { space, changeRequest, versions }, outcome.merged);
    if (isDryRun) {
      const before = versions.theirs;
      const preview = await previewChanges(ctx, { before, after: revision, broken, version: content });
      const ids = { revisionId: before.id, previousRevisionId: before.id };
      return { result: 'merge', changeRequestId, ...ids, conflicts: [], preview };
    }
    await finish(ctx, changeRequest, { revisionId: revision.id, previousRevisionId: versions.theirs.id });
    return { result: 'merge', changeRequestId, revisionId: revision.id, conflicts: [] };
  },
  readAgain: reloadMergeOutcome,
});

function rejectUnmet(unmet: UnmetRule[]): void {
  if (unmet.length === 0) return;
  const reasons = unmet.map(({ rule, message }) => `${rule}: ${message}`);
  const issues = unmet.map(({ rule, message }) => ({
    path: ['mergeRules', rule],
    message,
    code: 'RULE_NOT_MET' as const,
  }));
  throw new ApiError('PRECONDITION_FAILED', `Merge rules are not met. ${reasons.join(' ')}`, issues);
}

/** Writes the merged content as a revision of the primary content. Its parents are the revisions of both sides. */
async function writeMerge(
  ctx: Context,
  { space, changeRequest, versions }: { space: SpaceRow; changeRequest: ChangeRequestRow; versions: RevisionsToMerge },
  merge: Merge,
): Promise<RevisionRow> {
  const organizationId = space.organizationId;
  await storeMerge(ctx, organizationId, merge);
  const contents = { before: contentIn(versions.theirs), after: merge.content };
  const problem = await tooManyIn(ctx, organizationId, contents);
  if (problem !== undefined) throw conflict(`${problem} Remove some of them first.`);
  const revision = await insertRevision(ctx, {
    organizationId,
    spaceId: space.id,
    type: 'merge',
    parents: [versions.theirs.id, versions.ours.id],
    mergedFromId: changeRequest.id,
    ...merge.content,
  });
  const source = remember(nodeSource(ctx.db, organizationId));
  source.add(merge.newNodes);
  await moveHead(ctx, space, versions.theirs, revision, source);
  return revision;
}

async function finish(
  ctx: Context,
  changeRequest: ChangeRequestRow,
  { revisionId, previousRevisionId }: { revisionId: string; previousRevisionId: string },
): Promise<void> {
  const { id: changeRequestId, organizationId, spaceId } = changeRequest;
  const now = nowOf(ctx);
  await ctx.db
    .updateTable('change_request')
    .set({
      status: 'merged',
      revisionMergedId: revisionId,
      mergedAt: now,
      mergedBy: requireUserId(ctx.actor),
      updatedAt: now,
    })
    .where('id', '=', changeRequestId)
    .execute();
  const ids = { changeRequestId, revisionId };
  await recordEvent(ctx, { kind: 'change_request_merged', organizationId, spaceId, ids });
  await recordEvent(ctx, {
    kind: 'space_content_updated',
    organizationId,
    spaceId,
    ids: { ...ids, previousRevisionId },
  });
}

/**
 * Locks a space and a change request until the transaction ends, so that merges into one space run one at a time. The
 * rows are read again under the locks.
 */
async function lockForMerge(
  ctx: Context,
  name: ChangeRequestName,
  needed: Role,
): Promise<{ space: SpaceRow; changeRequest: ChangeRequestRow }> {
  const seen = await changeRequestFor(ctx, name.changeRequestId, needed, { spaceId: name.spaceId });
  const space = await spaceFor(ctx, seen.spaceId, needed, { lock: 'for no key update' });
  return { space, changeRequest: await changeRequestFor(ctx, seen.id, needed, { lock: 'for no key update' }) };
}
