import { type Context, nowOf } from '../../../../platform/context/context.ts';
import { jsonColumn } from '../../../../platform/database/json-column.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { RunEnded } from '../../../../platform/jobs/watch-run.ts';
import { transact } from '../../../../platform/operation/transact.ts';
import { cutTo } from '../../../../platform/shapes/cut-text.ts';
import type { GitPreview } from '../../../store/git-sync/index.ts';
import type { GitRunRow } from '../access.ts';
import { type Proposal, recordRunCompleted, recordRunFailed } from '../connections/record-run-end.ts';
import type { FaultCode } from '../connections/states.ts';
import type { GitWatch } from './watch-git-run.ts';

const MAX_REASON = 1_000;

export interface GitResult {
  revisionId: string;
  commitOid: string;
  filesChanged: number;
  changeRequestId?: string | null;
  /** Result of a dry run. */
  preview?: GitPreview;
  /** The branch before a commit in which the space won. */
  replacedCommitOid?: string | null;
  /** Branch that the commit was pushed to if the connected branch is protected. Its pending state is kept. */
  proposal?: Proposal;
  isRewritten?: boolean;
}

/** Ends a run as completed, in the transaction that writes its result. A cancelled run rolls it back. */
export async function completeGitRun(
  inside: Context,
  run: GitRunRow,
  watch: GitWatch,
  result: GitResult,
): Promise<void> {
  const now = nowOf(inside);
  const { report, log, read, counts } = watch;
  const ended = await inside.db
    .updateTable('git_run')
    .set({
      status: 'completed',
      updatedAt: now,
      completedAt: now,
      credentials: null,
      ...(!result.proposal && { pushing: null }),
      ...(result.preview && { preview: jsonColumn(result.preview) }),
      revisionId: result.revisionId,
      commitOid: result.commitOid,
      filesChanged: result.filesChanged,
      ...read,
      changeRequestId: result.changeRequestId ?? null,
      keptCount: counts.kept,
      changedCount: counts.changed,
      droppedCount: counts.dropped,
      report: jsonColumn(report),
      log: jsonColumn(log),
    })
    .where('id', '=', run.id)
    .where('status', '=', 'in-progress')
    .where('attempt', '=', run.attempt)
    .executeTakeFirst();
  if (ended.numUpdatedRows !== 1n) throw new RunEnded();
  await recordRunCompleted(inside, run, { ...result, changeRequestId: result.changeRequestId ?? null });
  const { organizationId, spaceId } = run;
  const ids = { gitRunId: run.id, revisionId: result.revisionId, commitId: result.commitOid };
  await recordEvent(inside, { kind: 'space_gitsync_completed', organizationId, spaceId, ids });
}

/** Throws `RunEnded` unless the run is still that of this attempt. It cannot end until the transaction does. */
export async function lockGitRun({ db }: Context, { id, attempt }: GitRunRow): Promise<void> {
  const lockedRow = await db
    .selectFrom('git_run')
    .where('id', '=', id)
    .where('status', '=', 'in-progress')
    .where('attempt', '=', attempt)
    .select('id')
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!lockedRow) throw new RunEnded();
}

/** Columns of a run that `failGitRun` needs. */
export const LOST_RUN_COLUMNS = [
  'id',
  'organizationId',
  'spaceId',
  'connectionId',
  'standalone',
  'repositoryUrl',
  'ref',
  'projectDirectory',
] as const;

/**
 * Marks a pending or running run as failed. Runs that have ended, or that another attempt has begun, stay as they are.
 */
export const failGitRun = (
  ctx: Context,
  run: Pick<GitRunRow, (typeof LOST_RUN_COLUMNS)[number]> & Partial<Pick<GitRunRow, 'attempt'>>,
  reason: string,
  { watch, code = 'OTHER' }: { watch?: GitWatch; code?: FaultCode } = {},
): Promise<void> =>
  transact(ctx, async (inside) => {
    const now = nowOf(inside);
    const { id, organizationId, spaceId, attempt } = run;
    const seen = watch && { ...watch.read, log: jsonColumn(watch.log) };
    const failed = await inside.db
      .updateTable('git_run')
      .set({
        status: 'failed',
        // Servers of repositories choose parts of reasons, and PostgreSQL does not store NUL.
        reason: cutTo(MAX_REASON, reason.replaceAll('\0', '')),
        updatedAt: now,
        completedAt: now,
        credentials: null,
        ...seen,
      })
      .where('id', '=', id)
      .where('status', 'in', ['pending', 'in-progress'])
      .$if(attempt !== undefined, (failing) => failing.where('attempt', '=', attempt as number))
      .executeTakeFirst();
    if (failed.numUpdatedRows !== 1n) return;
    await recordRunFailed(inside, run, code, reason);
    await recordEvent(inside, { kind: 'space_gitsync_failed', organizationId, spaceId, ids: { gitRunId: id } });
  });
