import { sql } from 'kysely';
import { z } from 'zod';
import { type Context, nowOf } from '../../../../platform/context/context.ts';
import { unavailabilityOf } from '../../../../platform/database/unavailable.ts';
import { ApiError, isPassing } from '../../../../platform/errors/errors.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { enqueue } from '../../../../platform/jobs/enqueue.ts';
import { defineJob, type Job } from '../../../../platform/jobs/job.ts';
import { RunEnded } from '../../../../platform/jobs/watch-run.ts';
import { transact } from '../../../../platform/operation/transact.ts';
import { UnreadableSecret } from '../../../../platform/secret-key/errors.ts';
import { TooManyPages } from '../../../content/import-engine/index.ts';
import { asRunCreator } from '../../../people/access/index.ts';
import { GIT_RUN_COLUMNS, type GitRunRow } from '../access.ts';
import type { FaultCode } from '../connections/states.ts';
import { failGitRun } from './end-git-run.ts';
import { exportBranch } from './export-branch.ts';
import { GitFault } from './fetch-branch.ts';
import { importBranch } from './import-branch.ts';
import { watchGitRun } from './watch-git-run.ts';

const data = z.object({ gitRunId: z.string() });

/** Retries after errors that the repository did not cause. */
const RETRIES = 3;
const EXPIRES_SECONDS = 3_600;
const TRY_AGAIN_SECONDS = 2;

/**
 * Runs an import or export. The runs of a space run one at a time, in the order of their times. A killed job starts
 * again from the beginning and recognizes its own pushes. An attempt that was considered killed but continues has no
 * effect. Runs that have ended are skipped.
 */
export const runGit: Job<typeof data> = defineJob(
  'run-git',
  data,
  async (ctx, { gitRunId }, { signal, retries }) => {
    const claimed = await claim(ctx, gitRunId, { isRetry: retries > 0 });
    if (!claimed) return;
    const creatorCtx = asRunCreator(ctx, claimed);
    const watch = watchGitRun(ctx, claimed, signal);
    try {
      await (claimed.direction === 'import' ? importBranch : exportBranch)(creatorCtx, claimed, watch);
    } catch (error) {
      await watch.end();
      if (error instanceof RunEnded) return;
      const reason = reasonOf(error);
      if (reason !== undefined) return await failGitRun(creatorCtx, claimed, reason, { watch, code: codeOf(error) });
      if (signal.aborted || retries < RETRIES) throw error;
      const cause =
        unavailabilityOf(error)?.message ?? 'The operation failed several times because of an internal error.';
      await failGitRun(creatorCtx, claimed, cause, { watch });
      throw error;
    } finally {
      await watch.end();
      await continueRuns(ctx, claimed);
    }
  },
  { concurrency: 2, concurrencyPerGroup: 1, expiresIn: EXPIRES_SECONDS, retries: RETRIES },
);

/** Effect of the failure on the connection of the run. */
function codeOf(error: unknown): FaultCode {
  if (error instanceof GitFault) return error.code;
  if (error instanceof TooManyPages) return 'TOO_LARGE';
  if (error instanceof UnreadableSecret) return 'SECRET_UNREADABLE';
  if (!(error instanceof ApiError)) return 'OTHER';
  if (error.issues.some(({ code }) => code === 'TOO_LARGE')) return 'TOO_LARGE';
  if (error.code === 'BAD_USER_INPUT') return 'NO_CONTENT';
  return DENIED.has(error.code) ? 'FORBIDDEN' : 'OTHER';
}

const DENIED: ReadonlySet<string> = new Set(['FORBIDDEN', 'NOT_FOUND', 'UNAUTHENTICATED']);

/** The reason of a failure that trying again would not change. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof GitFault) return error.message;
  if (error instanceof TooManyPages) return `${error.message} The limit is 10,000.`;
  return error instanceof ApiError && !isPassing(error) ? error.message : undefined;
}

/**
 * Claims a run. Undefined for a run that has ended, is skipped, or has to wait for others of its space, and is tried
 * again later. A run can have several jobs, since it is enqueued again while it waits: only the retry of a job
 * continues one that is in progress.
 */
const claim = (ctx: Context, gitRunId: string, { isRetry }: { isRetry: boolean }): Promise<GitRunRow | undefined> =>
  transact(ctx, async (inside) => {
    const { db } = inside;
    const run = await db.selectFrom('git_run').where('id', '=', gitRunId).select(GIT_RUN_COLUMNS).executeTakeFirst();
    if (!run || !(run.status === 'pending' || (run.status === 'in-progress' && isRetry))) return undefined;
    // The lock makes claims of one space follow each other.
    await db.selectFrom('space').where('id', '=', run.spaceId).select('id').forNoKeyUpdate().execute();
    const { rows } = await sql`
      select from git_run r where r.space_id = ${run.spaceId} and r.id <> ${run.id}
        and (r.status = 'in-progress' or (r.status = 'pending' and ${run.status} = 'pending'
          and (r.operation_at, r.id) < (${run.operationAt}::timestamptz, ${run.id})))
      limit 1`.execute(db);
    if (rows.length > 0) {
      await enqueue(inside, runGit, { gitRunId }, { startAfter: TRY_AGAIN_SECONDS, group: run.organizationId });
      return undefined;
    }
    const now = nowOf(inside);
    const isLate = await isOlder(inside, run);
    const claimed = await db
      .updateTable('git_run')
      .set((row) => ({
        status: isLate ? ('skipped' as const) : ('in-progress' as const),
        startedAt: row.fn.coalesce('startedAt', row.val(now)),
        attempt: sql<number>`${row.ref('attempt')} + 1`,
        updatedAt: now,
        ...(isLate && { completedAt: now, credentials: null }),
      }))
      .where('id', '=', gitRunId)
      // Another job may have claimed it before the space was locked.
      .where('status', '=', run.status)
      .returning(GIT_RUN_COLUMNS)
      .executeTakeFirst();
    if (!claimed || isLate) return undefined;
    if (run.status === 'pending') {
      const { organizationId, spaceId } = run;
      await recordEvent(inside, { kind: 'space_gitsync_started', organizationId, spaceId, ids: { gitRunId } });
    }
    return claimed;
  });

async function isOlder({ db }: Context, run: GitRunRow): Promise<boolean> {
  const { spaceId, operationAt, force, standalone, connectionId } = run;
  if (force || standalone || connectionId !== null) return false;
  const sync = await db
    .selectFrom('git_sync')
    .where('spaceId', '=', spaceId)
    .where('commitOid', 'is not', null)
    .select('operationAt')
    .executeTakeFirst();
  return sync !== undefined && Date.parse(operationAt) < Date.parse(sync.operationAt);
}

/** Enqueues the next run of a space, which waited for this one. */
export async function continueRuns(
  ctx: Context,
  { spaceId, organizationId }: Pick<GitRunRow, 'spaceId' | 'organizationId'>,
): Promise<void> {
  const next = await ctx.db
    .selectFrom('git_run')
    .where('spaceId', '=', spaceId)
    .where('status', '=', 'pending')
    .orderBy('operationAt')
    .orderBy('id')
    .select('id')
    .executeTakeFirst();
  if (next) await enqueue(ctx, runGit, { gitRunId: next.id }, { group: organizationId });
}
