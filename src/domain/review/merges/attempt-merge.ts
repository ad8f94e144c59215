import type { Context } from '../../../platform/context/context.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import type { ChangeRequestRow } from '../../content/change-requests/index.ts';
import { type ContentMerge, type MergedRevisions, mergeContent } from '../../content/merge-content/index.ts';
import { loadRevision } from '../../content/revisions/index.ts';

/** The three revisions of merging a change request. */
export type RevisionsToMerge = Pick<MergedRevisions, 'base' | 'ours' | 'theirs'>;

/**
 * The base and current revision of a change request that the caller can read, and the current revision of the primary
 * content. NOT_FOUND if access has been taken away since the change request was read.
 */
export async function revisionsToMerge(
  ctx: Context,
  changeRequest: ChangeRequestRow,
  headId: string,
): Promise<RevisionsToMerge> {
  const baseId = changeRequest.revisionMergedAncestorId ?? changeRequest.revisionInitialId;
  const [base, ours, theirs] = await Promise.all(
    [baseId, changeRequest.revisionId, headId].map((id) => loadRevision(ctx, id)),
  );
  if (!base || !ours || !theirs) throw notFound('change request', changeRequest.id);
  return { base, ours, theirs };
}

/** A merge computed before any locks were taken. Valid while the revisions are the same. */
export interface MergeAttempt {
  versions: RevisionsToMerge;
  outcome: ContentMerge;
}

/** Computes a merge, or returns `earlier` if it has the same revisions. */
export async function attemptMerge(
  ctx: Context,
  versions: RevisionsToMerge,
  earlier?: MergeAttempt,
  resolutions?: MergedRevisions['resolutions'],
): Promise<MergeAttempt> {
  if (earlier && isSame(versions, earlier.versions)) return earlier;
  return { versions, outcome: await mergeContent(ctx, { ...versions, ...(resolutions && { resolutions }) }) };
}

const isSame = (left: RevisionsToMerge, right: RevisionsToMerge) =>
  left.base.id === right.base.id && left.ours.id === right.ours.id && left.theirs.id === right.theirs.id;
