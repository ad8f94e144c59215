import { z } from 'zod';
import { type Context, nowOf } from '../../../../platform/context/context.ts';
import type { Row } from '../../../../platform/database/tables.ts';
import { enqueue } from '../../../../platform/jobs/enqueue.ts';
import { defineJob, type Job } from '../../../../platform/jobs/job.ts';
import { transact } from '../../../../platform/operation/transact.ts';
import { isSameBranch } from '../repository-url.ts';
import type { ListedRefs } from '../transport/transport.ts';
import { connectionById, type GitConnectionRow } from './access.ts';
import { recordConnectionFault, updateConnectionState } from './connection-state.ts';
import { listRefs } from './list-refs.ts';
import { proposalRefOf } from './propose-commit.ts';
import { startRun } from './start-run.ts';
import { type FaultCode, shortRef } from './states.ts';

const data = z.object({ gitConnectionId: z.string() });

/** Delay in seconds while a run of the connection is not done. */
const RUNNING_DELAY = 3;

/**
 * Finds out whether a connection has something to synchronize, and starts the run that does. Asks the server for its
 * branches only. What a push or a merge that comes during a run changes is found after it.
 */
export const syncConnection: Job<typeof data> = defineJob(
  'sync-git-connection',
  data,
  async (ctx, { gitConnectionId }, { signal }) => {
    const row = await connectionById(ctx, gitConnectionId);
    if (!row || isStopped(row)) return;
    if (await isRunning(ctx, row)) {
      // A request that this job carries on is not taken for a lost one.
      await ctx.db
        .updateTable('git_connection')
        .set({ wantedAt: nowOf(ctx) })
        .where('id', '=', row.id)
        .where('wantedAt', 'is not', null)
        .execute();
      return enqueue(
        ctx,
        syncConnection,
        { gitConnectionId },
        { startAfter: RUNNING_DELAY, group: row.organizationId },
      );
    }
    const cleared = { wantedAt: null, polledAt: nowOf(ctx) };
    await ctx.db.updateTable('git_connection').set(cleared).where('id', '=', row.id).execute();
    const spaceState = await spaceStateOf(ctx, row);
    const listed = await listRefs(ctx, row, { commit: spaceState.sync?.commitOid ?? null }, signal);
    await transact(ctx, async (inside) => {
      await inside.db.selectFrom('git_connection').where('id', '=', row.id).forNoKeyUpdate().select('id').execute();
      const locked = await connectionById(inside, row.id);
      // A change of the branch has requested another synchronization.
      if (!locked || isStopped(locked) || !isSameBranch(locked, row) || (await isRunning(inside, locked))) return;
      if ('fault' in listed) return recordConnectionFault(inside, locked, listed.fault.code, listed.fault.message);
      await act(inside, locked, decide(locked, spaceState, listed.refs));
    });
  },
  { concurrency: 4, concurrencyPerGroup: 2, retries: 3, expiresIn: 180 },
);

const isStopped = ({ isPaused, state }: GitConnectionRow) => isPaused || state === 'pending';

interface SpaceState {
  /** Last synchronized state of the repository. Undefined before the first time. */
  sync: Pick<Row<'git_sync'>, 'commitOid' | 'conflictChangeRequestId'> | undefined;
  /** Whether that was with another branch or directory than the connection names now. */
  isOtherBranch: boolean;
  headId: string | undefined;
  /** Whether conflicts were settled since. */
  isSettled: boolean;
}

type Step =
  | { run: 'import' | 'export'; force: boolean }
  | { fault: FaultCode; message: string }
  | { state: GitConnectionRow['state'] };

/** Next run, by the content of the branch and the space. */
function decide(row: GitConnectionRow, space: SpaceState, refs: ListedRefs): Step {
  const { sync, isOtherBranch, headId, isSettled } = space;
  // A user chose that the space wins over the branch. That holds until it has won, also if a run fails.
  const isSpaceFirst = row.initialSide === 'space' && (!sync || isOtherBranch);
  const isSame = sync && !isOtherBranch && refs.tip !== null;
  if ((isSpaceFirst || isSame) && isProposed(row, space, refs)) return { state: 'protected' };
  if (isSpaceFirst) return { run: 'export', force: true };
  if (refs.tip === null) {
    return refs.isEmpty
      ? { fault: 'NO_BRANCH', message: EMPTY }
      : { fault: 'NO_BRANCH', message: missing(row, refs.sameCommit) };
  }
  if (!sync) return { run: 'import', force: true };
  // An export would replace what the branch has with the content of the space, which does not know it yet.
  if (isOtherBranch) return { run: 'import', force: false };
  if (row.syncedRevisionId !== headId || isSettled) return { run: 'export', force: false };
  if (refs.tip !== sync.commitOid) return { run: 'import', force: false };
  if (row.proposalRef !== null) return { state: 'protected' };
  return { state: sync.conflictChangeRequestId === null ? 'active' : 'conflicts' };
}

/** Whether the space won, the branch refused its content, which is proposed, and neither has changed since. */
const isProposed = (row: GitConnectionRow, { headId }: SpaceState, { tip }: ListedRefs): boolean =>
  row.proposalRef === proposalRefOf(row.ref) && row.syncedRevisionId === headId && row.keptCommitOid === tip;

const EMPTY = 'The repository has no commits.';

function missing({ ref }: GitConnectionRow, sameCommit: readonly string[]): string {
  const message = `The repository has no branch "${shortRef(ref)}".`;
  if (sameCommit.length === 0) return message;
  const names = sameCommit.map((name) => `"${shortRef(name)}"`).join(', ');
  return `${message} If it was renamed: the commit that was synchronized last is the latest one of ${names}.`;
}

async function act(inside: Context, row: GitConnectionRow, step: Step): Promise<void> {
  if ('run' in step) {
    await startRun(inside, row, { direction: step.run, force: step.force });
  } else if ('state' in step) {
    await updateConnectionState(inside, row, { state: step.state, detail: null, hasFailed: false });
  } else if (step.message === EMPTY) {
    await updateConnectionState(inside, row, { state: 'repository-empty', detail: EMPTY, hasFailed: true });
  } else {
    await recordConnectionFault(inside, row, step.fault, step.message);
  }
}

async function isRunning({ db }: Context, { id, spaceId }: GitConnectionRow): Promise<boolean> {
  const running = await db
    .selectFrom('git_run')
    .where('spaceId', '=', spaceId)
    .where('connectionId', '=', id)
    .where('standalone', '=', false)
    .where('status', 'in', ['pending', 'in-progress'])
    .select('id')
    .executeTakeFirst();
  return running !== undefined;
}

async function spaceStateOf({ db }: Context, row: GitConnectionRow): Promise<SpaceState> {
  const { spaceId, repositoryUrl } = row;
  const sync = await db
    .selectFrom('git_sync')
    .leftJoin('change_request', 'change_request.id', 'git_sync.conflictChangeRequestId')
    .where('git_sync.spaceId', '=', spaceId)
    .where('git_sync.repositoryUrl', '=', repositoryUrl)
    .where('git_sync.commitOid', 'is not', null)
    .select(['git_sync.repositoryUrl', 'git_sync.ref', 'git_sync.projectDirectory'])
    .select(['git_sync.commitOid', 'git_sync.conflictChangeRequestId', 'change_request.status'])
    .executeTakeFirst();
  const space = await db.selectFrom('space').where('id', '=', spaceId).select('revisionId').executeTakeFirst();
  const isOpen = sync?.status === 'open' || sync?.status === 'draft';
  const isOtherBranch = sync !== undefined && !isSameBranch(sync, row);
  return {
    sync,
    isOtherBranch,
    headId: space?.revisionId,
    isSettled: sync?.conflictChangeRequestId != null && !isOpen,
  };
}
