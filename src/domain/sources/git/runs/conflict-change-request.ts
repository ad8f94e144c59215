import { type Context, nowOf } from '../../../../platform/context.ts';
import { cutTo } from '../../../../platform/text.ts';
import { createChangeRequest, updateChangeRequest } from '../../../content/change-requests/index.ts';
import { contentIn, insertRevision, type RevisionRow } from '../../../store/revisions/index.ts';
import type { GitRunRow } from '../access.ts';
import { loadRow } from './sync-state.ts';

/**
 * Opens a change request whose conflicts with the space are those of the branch: it proposes the content of the branch, based on what
 * both agreed on. One that is open already with the same content stays; another one is archived. Answers its id.
 */
export async function openConflicts(
  inside: Context,
  run: GitRunRow,
  { base, ours, present, count }: { base: RevisionRow; ours: RevisionRow; present: string | null; count: number },
): Promise<string> {
  if (present !== null && (await proposes(inside, present, ours))) return present;
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

async function proposes({ db }: Context, changeRequestId: string, ours: RevisionRow): Promise<boolean> {
  const { revisionId } = await db
    .selectFrom('change_request')
    .where('id', '=', changeRequestId)
    .select('revisionId')
    .executeTakeFirstOrThrow();
  const revision = await loadRow(db, revisionId);
  return JSON.stringify(contentIn(revision)) === JSON.stringify(contentIn(ours));
}
