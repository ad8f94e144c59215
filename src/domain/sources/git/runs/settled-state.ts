import { type ExpressionBuilder, sql } from 'kysely';
import type { Context } from '../../../../platform/context/context.ts';
import type { Tables } from '../../../../platform/database/tables.ts';
import { RunEnded } from '../../../../platform/jobs/watch-run.ts';
import { transact } from '../../../../platform/operation/transact.ts';
import { GIT_RUN_COLUMNS, type GitRunRow } from '../access.ts';
import { isSameBranch } from '../repository-url.ts';
import type { RemoteCommit } from '../transport/remote.ts';
import type { FetchedBranch } from '../transport/transport.ts';
import { loadState, type NewState, type SyncState, saveState } from './sync-state.ts';

/**
 * The state of the synchronization with a fetched branch. If the branch has a commit whose push was interrupted after
 * the server accepted it, its pending state is written first, unless the run is apart from the synchronization. Only
 * pushes to this branch count: the commit of a proposal is also in the branch of its pull request, which says nothing
 * about the branch that refused it.
 */
export async function settledState(
  ctx: Context,
  run: GitRunRow,
  { oid, ancestors }: RemoteCommit,
): Promise<SyncState | undefined> {
  const pushes = run.standalone
    ? []
    : await ctx.db
        .selectFrom('git_run')
        .where(isPushTo(run))
        .where(hasCommit([oid, ...ancestors]))
        .select([...GIT_RUN_COLUMNS, 'pushing'])
        .execute();
  for (const commitOid of pushes.length === 0 ? [] : [oid, ...ancestors]) {
    const push = pushes.flatMap(({ pushing, ...columns }) => {
      const state = [pushing as NewState | NewState[]].flat().find((each) => each.commitOid === commitOid); // written by `recordPush`
      return state ? [{ columns, state }] : [];
    })[0];
    if (!push) continue;
    await transact(ctx, async (inside) => {
      await saveState(inside, push.columns, push.state);
      // A pending commit of an earlier attempt can no longer reach the branch.
      await forgetPushes(inside, run);
    });
    break;
  }
  return loadState(ctx, run.spaceId);
}

/** A push of the run has one of these commits. The states are large, and a space has one for each open proposal. */
const hasCommit = (oids: readonly string[]) => sql<boolean>`exists (
  select from jsonb_array_elements(
    case jsonb_typeof(pushing::jsonb) when 'array' then pushing::jsonb else jsonb_build_array(pushing::jsonb) end) as push
  where push ->> 'commitOid' = any(${oids}::text[]))`;

/** Condition on runs: those with a push to the branch of `run` that is not settled. */
export const isPushTo =
  ({ spaceId, repositoryUrl, ref }: GitRunRow) =>
  (push: ExpressionBuilder<Tables, 'git_run'>) =>
    push.and([push.and({ spaceId, repositoryUrl, ref }), push('pushing', 'is not', null)]);

/**
 * Forgets the pushes of a space that are not settled, also those to former branches, once a newer state is written:
 * theirs are older, or of branches that are no longer synchronized.
 */
export const forgetPushes = ({ db }: Context, { spaceId }: Pick<GitRunRow, 'spaceId'>) =>
  db
    .updateTable('git_run')
    .set({ pushing: null })
    .where('spaceId', '=', spaceId)
    .where('pushing', 'is not', null)
    .execute();

/**
 * Forgets the pushes of proposals that others have replaced. The latest two are kept: while a run proposes its commit,
 * the proposal before it can still be merged.
 */
export const forgetReplacedProposals = ({ db }: Context, run: GitRunRow) =>
  db
    .updateTable('git_run')
    .set({ pushing: null })
    .where(isPushTo(run))
    .where('id', 'not in', (runs) =>
      runs
        .selectFrom('git_run')
        .where(isPushTo(run))
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(2)
        .select('id'),
    )
    .execute();

/**
 * The settled state, if it belongs to the fetched branch of a run, also under a former name. A synchronization with
 * another branch is a first one: absent objects count neither as deleted from that branch nor as deleted from the
 * space.
 */
export const stateOfBranch = (
  state: SyncState | undefined,
  run: GitRunRow,
  fetched: Pick<FetchedBranch, 'commit' | 'hasKnown'>,
): SyncState | undefined =>
  state && (isSameBranch(state.sync, run) || isContinued(state, run, fetched)) ? state : undefined;

/** Whether the fetched branch has the synchronized commit, in the same directory. */
const isContinued = (
  { sync }: SyncState,
  run: GitRunRow,
  { commit, hasKnown }: Pick<FetchedBranch, 'commit' | 'hasKnown'>,
): boolean => sync.projectDirectory === run.projectDirectory && (sync.commitOid === commit?.oid || hasKnown === true);

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
