import { hashOf } from '../../../../lib/canonical.ts';
import type { Conflict } from '../../../../lib/merge/conflict.ts';
import { type Context, nowOf } from '../../../../platform/context.ts';
import { cutTo } from '../../../../platform/text.ts';
import { createChangeRequest, updateChangeRequest } from '../../../content/change-requests/index.ts';
import { contentIn, insertRevision, type RevisionRow } from '../../../store/revisions/index.ts';
import type { GitRunRow } from '../access.ts';
import type { SyncState } from './sync-state.ts';

/**
 * Opens a change request whose conflicts with the space are those of the branch: it proposes the content of the branch, based on what
 * both agreed on. One that is open already and contains all of them stays; another one is archived. Answers its id.
 */
export async function openConflicts(
  inside: Context,
  run: GitRunRow,
  {
    base,
    ours,
    state,
    keys,
  }: { base: RevisionRow; ours: RevisionRow; state: SyncState | undefined; keys: readonly string[] },
): Promise<string> {
  const present = state?.sync.conflictChangeRequestId ?? null;
  const known = new Set(state?.sync.conflictKeys);
  if (present !== null && keys.every((key) => known.has(key))) return present;
  const count = keys.length;
  const { spaceId, organizationId } = run;
  if (present !== null) await updateChangeRequest(inside, { changeRequestId: present, spaceId, status: 'archived' });
  const branch = run.ref.replace(/^refs\/heads\//, '');
  const subject = cutTo(100, `${count} ${count === 1 ? 'conflict' : 'conflicts'} with the Git branch ${branch}`);
  const { id } = await createChangeRequest(inside, { spaceId, subject });
  const revision = await insertRevision(inside, {
    organizationId,
    spaceId,
    type: 'edits',
    parents: [base.id],
    changeRequestId: id,
    git: ours.git,
    ...contentIn(ours),
  });
  await inside.db
    .updateTable('change_request')
    .set({ status: 'open', revisionId: revision.id, revisionInitialId: base.id, updatedAt: nowOf(inside) })
    .where('id', '=', id)
    .execute();
  return id;
}

/** What a conflict is about, whatever the space's side of it is by now. */
export const conflictKey = ({ kind, target, field, block, base, ours }: Conflict): string =>
  hashOf({ kind, target, field, block, base, ours });
