import type { Context } from '../../../platform/context.ts';
import type { ChangeRequestRow } from '../../content/change-requests/index.ts';
import { type ContentMerge, type MergedRevisions, mergeContent } from '../../content/merging/index.ts';
import { loadRevision } from '../../content/revisions/index.ts';
import type { RevisionRow } from '../../store/revisions/index.ts';

/** The three revisions that merging a change request is about. */
export type Versions = Pick<MergedRevisions, 'base' | 'ours' | 'theirs'>;

/** What a change request goes back to, what it is, and what the primary content is. For callers that may read them. */
export async function versionsOf(ctx: Context, changeRequest: ChangeRequestRow, headId: string): Promise<Versions> {
  const baseId = changeRequest.revisionMergedAncestorId ?? changeRequest.revisionInitialId;
  const [base, ours, theirs] = await Promise.all([
    known(ctx, baseId),
    known(ctx, changeRequest.revisionId),
    known(ctx, headId),
  ]);
  return { base, ours, theirs };
}

async function known(ctx: Context, id: string): Promise<RevisionRow> {
  const revision = await loadRevision(ctx, id);
  if (!revision) throw new Error(`The revision ${id} of a change request that may be read may not.`);
  return revision;
}

/** A merge worked out before anything was locked: it holds as long as the revisions are these. */
export interface Attempt {
  versions: Versions;
  outcome: ContentMerge;
}

/** Works out a merge, unless an attempt did so from the same revisions. */
export async function attemptMerge(
  ctx: Context,
  versions: Versions,
  earlier?: Attempt,
  resolutions?: MergedRevisions['resolutions'],
): Promise<Attempt> {
  if (earlier && isSame(versions, earlier.versions)) return earlier;
  return { versions, outcome: await mergeContent(ctx, { ...versions, ...(resolutions && { resolutions }) }) };
}

const isSame = (left: Versions, right: Versions) =>
  left.base.id === right.base.id && left.ours.id === right.ours.id && left.theirs.id === right.theirs.id;
