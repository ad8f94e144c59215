import type { Context } from '../../../../platform/context.ts';
import { transact } from '../../../../platform/transact.ts';
import { GIT_RUN_COLUMNS, type GitRunRow } from '../access.ts';
import { isSameBranch, loadState, type NewState, type SyncState, saveState } from './sync-state.ts';

/**
 * The state of the synchronization at the tip of a branch. If the tip is a commit whose push was interrupted after the server took it,
 * what was to be remembered is written first.
 */
export async function settledState(ctx: Context, run: GitRunRow, tip: string): Promise<SyncState | undefined> {
  const pushed = await ctx.db
    .selectFrom('git_run')
    .where('spaceId', '=', run.spaceId)
    .where('commitOid', '=', tip)
    .where('pushing', 'is not', null)
    .select([...GIT_RUN_COLUMNS, 'pushing'])
    .executeTakeFirst();
  if (pushed) {
    const { pushing, ...its } = pushed;
    await transact(ctx, { id: undefined, versions: undefined }, async (inside) => {
      await saveState(inside, its, pushing as NewState); // written by `notePush`
      await inside.db.updateTable('git_run').set({ pushing: null }).where('id', '=', its.id).execute();
    });
  }
  return loadState(ctx, run.spaceId);
}

/**
 * The settled state, if it is that of the branch of a run. A synchronization with another branch is a first one: what that branch
 * does not have was not deleted from it, and what the space deleted was not deleted for it.
 */
export const ofBranch = (state: SyncState | undefined, run: GitRunRow, tip: string): SyncState | undefined =>
  state && (isSameBranch(state, run) || isSameCommit(state, run, tip)) ? state : undefined;

const isSameCommit = ({ sync }: SyncState, run: GitRunRow, tip: string) =>
  sync.commitOid === tip && sync.projectDirectory === run.projectDirectory;

/** Remembers a commit before it is pushed. Throws away what an earlier attempt remembered. */
export async function notePush({ db }: Context, { id }: GitRunRow, state: NewState): Promise<void> {
  await db
    .updateTable('git_run')
    .set({ commitOid: state.commitOid, pushing: JSON.stringify(state) as never }) // json columns are written as text
    .where('id', '=', id)
    .execute();
}
