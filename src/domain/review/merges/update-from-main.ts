import type { Context } from '../../../platform/context/context.ts';
import { conflict } from '../../../platform/errors/errors.ts';
import { type ChangeRequestRow, moveChangeRequestHead } from '../../content/change-requests/index.ts';
import { brokenLinks, type ContentPreview, previewChanges } from '../../content/dry-runs/index.ts';
import { linkVersion } from '../../content/links/index.ts';
import { type Merge, storeMerge } from '../../content/merge-content/index.ts';
import { revisionFor } from '../../content/revisions/index.ts';
import { insertRevision, type RevisionRow } from '../../store/revisions/index.ts';
import type { RevisionsToMerge } from './attempt-merge.ts';

/** Rejects merged change requests. All others can be updated. */
export function rejectMerged({ status }: ChangeRequestRow): void {
  if (status === 'merged') throw conflict('The change request is merged and can no longer be updated.');
}

/** What an update of a locked change request changes. `write` writes it, in a transaction that is rolled back. */
export async function previewUpdate(
  ctx: Context,
  { id, spaceId }: ChangeRequestRow,
  before: RevisionRow,
  write: () => Promise<string>,
): Promise<ContentPreview> {
  const broken = await brokenLinks(ctx, await linkVersion(ctx, before, id));
  const { revision: after } = await revisionFor(ctx, spaceId, await write());
  return previewChanges(ctx, { before, after, broken, version: await linkVersion(ctx, after, id) });
}

/**
 * Writes merged content as the next revision of a locked change request. Its parents are the revisions of both sides,
 * and the revision of the primary content becomes the base of later merges. Returns the id of the revision.
 */
export async function writeUpdate(
  ctx: Context,
  changeRequest: ChangeRequestRow,
  { ours, theirs }: RevisionsToMerge,
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
