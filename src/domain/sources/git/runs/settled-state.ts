import { sql } from 'kysely';
import type { Context } from '../../../../platform/context/context.ts';
import { RunEnded } from '../../../../platform/jobs/watch-run.ts';
import { transact } from '../../../../platform/operation/transact.ts';
import { GIT_RUN_COLUMNS, type GitRunRow } from '../access.ts';
import type { RemoteCommit } from '../transport/remote.ts';
import { isSameBranch, loadState, type NewState, type SyncState, saveState } from './sync-state.ts';

/**
 * The state of the synchronization with a fetched branch. If the branch has a commit whose push was interrupted after
 * the server accepted it, its pending state is written first.
 */
export async function settledState(
  ctx: Context,
  run: GitRunRow,
  { oid, ancestors }: RemoteCommit,
): Promise<SyncState | undefined> {
  const pushes = await ctx.db
    .selectFrom('git_run')
    .where('spaceId', '=', run.spaceId)
    .where('pushing', 'is not', null)
    .select([...GIT_RUN_COLUMNS, 'pushing'])
    .execute();
  for (const commitOid of pushes.length === 0 ? [] : [oid, ...ancestors]) {
    const push = pushes.flatMap(({ pushing, ...columns }) => {
      const state = [pushing as NewState | NewState[]].flat().find((each) => each.commitOid === commitOid); // written by `recordPush`
      return state ? [{ columns, state }] : [];
    })[0];
    if (!push) continue;
    await transact(ctx, { id: undefined, versions: undefined }, async (inside) => {
      await saveState(inside, push.columns, push.state);
      // A pending commit of an earlier attempt can no longer reach the branch.
      await forgetPushes(inside, run);
    });
    break;
  }
  return loadState(ctx, run.spaceId);
}

/** Forgets interrupted pushes: their commits are settled, or can no longer become part of the branch. */
export const forgetPushes = ({ db }: Context, { spaceId }: Pick<GitRunRow, 'spaceId'>) =>
  db
    .updateTable('git_run')
    .set({ pushing: null })
    .where('spaceId', '=', spaceId)
    .where('pushing', 'is not', null)
    .execute();

/**
 * The settled state, if it belongs to the branch of a run. A synchronization with another branch is a first one: absent
 * objects count neither as deleted from that branch nor as deleted from the space.
 */
export const stateOfBranch = (state: SyncState | undefined, run: GitRunRow, tip: string): SyncState | undefined =>
  state && (isSameBranch(state, run) || isSameCommit(state, run, tip)) ? state : undefined;

const isSameCommit = ({ sync }: SyncState, run: GitRunRow, tip: string) =>
  sync.commitOid === tip && sync.projectDirectory === run.projectDirectory;

/**
 * Stores a commit before it is pushed, next to the one of an earlier attempt, which the server may still accept. Throws
 * `RunEnded` if another attempt has begun.
 */
export async function recordPush({ db }: Context, { id, attempt }: GitRunRow, state: NewState): Promise<void> {
  const noted = await db
    .updateTable('git_run')
    .set({
      commitOid: state.commitOid,
      pushing:
        sql`jsonb_build_array(${JSON.stringify(state)}::jsonb) || coalesce(jsonb_path_query_array(pushing::jsonb, '$[0]'), '[]')` as never,
    })
    .where('id', '=', id)
    .where('status', '=', 'in-progress')
    .where('attempt', '=', attempt)
    .executeTakeFirst();
  if (noted.numUpdatedRows !== 1n) throw new RunEnded();
}
