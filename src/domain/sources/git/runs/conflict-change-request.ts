import { hashOf } from '../../../../lib/canonical.ts';
import type { Conflict } from '../../../../lib/merge/conflict.ts';
import { type Context, nowOf } from '../../../../platform/context/context.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { cutTo } from '../../../../platform/shapes/cut-text.ts';
import { createChangeRequest, updateChangeRequest } from '../../../content/change-requests/index.ts';
import { contentIn, insertRevision, type RevisionRow } from '../../../store/revisions/index.ts';
import type { GitRunRow } from '../access.ts';
import { hasSameContent } from './same-content.ts';
import { loadRow, type SyncState } from './sync-state.ts';

/** Conflicts between branch and space. */
interface Proposed {
  /** Content that both sides have. */
  base: RevisionRow;
  /** The same with the branch's side of the conflicts. */
  branch: RevisionRow;
  git: RevisionRow['git'];
  state: SyncState | undefined;
  keys: readonly string[];
}

/**
 * Opens a change request whose conflicts with the space are those of the branch: it proposes the content of the branch,
 * based on the common content. An open one that contains all of them stays; another one is archived. Returns its id.
 */
export async function openConflicts(inside: Context, run: GitRunRow, proposed: Proposed): Promise<string> {
  const { state, keys } = proposed;
  const present = state?.sync.conflictChangeRequestId ?? null;
  const storedKeys = new Set(state?.sync.conflictKeys);
  if (present !== null && keys.every((key) => storedKeys.has(key))) {
    await propose(inside, run, present, proposed);
    return present;
  }
  await archiveConflicts(inside, run, state);
  const { spaceId } = run;
  const count = keys.length;
  const branch = run.ref.replace(/^refs\/heads\//, '');
  const subject = cutTo(100, `${count} ${count === 1 ? 'conflict' : 'conflicts'} with the Git branch ${branch}`);
  const { id } = await createChangeRequest(inside, { spaceId, subject });
  await inside.db
    .updateTable('change_request')
    .set({ status: 'open', updatedAt: nowOf(inside) })
    .where('id', '=', id)
    .execute();
  await propose(inside, run, id, proposed);
  return id;
}

/** Archives the change request with the conflicts, once there are others or none. */
export async function archiveConflicts(
  inside: Context,
  { spaceId }: GitRunRow,
  state: SyncState | undefined,
): Promise<void> {
  const changeRequestId = state?.sync.conflictChangeRequestId ?? null;
  if (changeRequestId === null) return;
  const { status } = await inside.db
    .selectFrom('change_request')
    .where('id', '=', changeRequestId)
    .select('status')
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (isOpen(status)) await updateChangeRequest(inside, { changeRequestId, spaceId, status: 'archived' });
}

const isOpen = (status: string) => status === 'open' || status === 'draft';

/**
 * Updates a change request to the current content of the branch: merging the former content would revert later changes
 * of both sides. A change request that a user has edited or updated stays as it is.
 */
async function propose(
  inside: Context,
  { organizationId, spaceId }: GitRunRow,
  changeRequestId: string,
  { base, branch, git }: Proposed,
): Promise<void> {
  const { status, revisionId, revisionInitialId, revisionMergedAncestorId } = await inside.db
    .selectFrom('change_request')
    .where('id', '=', changeRequestId)
    .select(['status', 'revisionId', 'revisionInitialId', 'revisionMergedAncestorId'])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  // A user may have settled it since the state was read.
  if (!isOpen(status)) return;
  const present = await loadRow(inside.db, revisionId);
  const isNew = present.changeRequestId !== changeRequestId;
  const isEdited = !isNew && (present.git === null || revisionMergedAncestorId !== null);
  const initial = await loadRow(inside.db, revisionInitialId);
  if (isEdited || (!isNew && hasSameContent(present, branch) && hasSameContent(initial, base))) return;
  const revision = await insertRevision(inside, {
    organizationId,
    spaceId,
    type: 'edits',
    parents: [base.id],
    changeRequestId,
    git,
    ...contentIn(branch),
  });
  await inside.db
    .updateTable('change_request')
    .set({ revisionId: revision.id, revisionInitialId: base.id, updatedAt: nowOf(inside) })
    .where('id', '=', changeRequestId)
    .execute();
  if (isNew) return;
  const ids = { changeRequestId, revisionId: revision.id, previousRevisionId: revisionId };
  await recordEvent(inside, { kind: 'change_request_content_updated', organizationId, spaceId, ids });
}

/** Identity of a conflict, whatever the current side of the space is. */
export const conflictKey = ({ kind, target, field, block, base, ours, pages }: Conflict): string =>
  hashOf({ kind, target, field, block, base, ours, ...(ours !== null && pages.length > 0 && { pages }) });
