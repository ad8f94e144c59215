import { type Context, nowOf } from '../../../../platform/context.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { RunEnded } from '../../../../platform/jobs/watch-run.ts';
import { cutTo } from '../../../../platform/text.ts';
import { transact } from '../../../../platform/transact.ts';
import type { GitRunRow } from '../access.ts';
import type { GitWatch } from './watch-git-run.ts';

const MAX_REASON = 1_000;

export interface GitResult {
  revisionId: string;
  commitOid: string;
  filesChanged: number;
  changeRequestId?: string | null;
}

/** Ends a run as completed, in the transaction that writes its result. A cancelled run rolls it back. */
export async function completeGitRun(
  inside: Context,
  run: GitRunRow,
  watch: GitWatch,
  result: GitResult,
): Promise<void> {
  const now = nowOf(inside);
  const { report, log, counts } = watch;
  const ended = await inside.db
    .updateTable('git_run')
    .set({
      status: 'completed',
      updatedAt: now,
      completedAt: now,
      credentials: null,
      pushing: null,
      revisionId: result.revisionId,
      commitOid: result.commitOid,
      filesChanged: result.filesChanged,
      changeRequestId: result.changeRequestId ?? null,
      keptCount: counts.kept,
      changedCount: counts.changed,
      droppedCount: counts.dropped,
      report: JSON.stringify(report) as never, // json columns are written as text
      log: JSON.stringify(log) as never,
    })
    .where('id', '=', run.id)
    .where('status', '=', 'in-progress')
    .where('attempt', '=', run.attempt)
    .executeTakeFirst();
  if (ended.numUpdatedRows !== 1n) throw new RunEnded();
  const { organizationId, spaceId } = run;
  const ids = { gitRunId: run.id, revisionId: result.revisionId, commitId: result.commitOid };
  await recordEvent(inside, { kind: 'space_gitsync_completed', organizationId, spaceId, ids });
}

/** Throws `RunEnded` unless the run is still that of this attempt. It cannot end until the transaction does. */
export async function holdGitRun({ db }: Context, { id, attempt }: GitRunRow): Promise<void> {
  const held = await db
    .selectFrom('git_run')
    .where('id', '=', id)
    .where('status', '=', 'in-progress')
    .where('attempt', '=', attempt)
    .select('id')
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!held) throw new RunEnded();
}

/** Marks a pending or running run as failed. Runs that have ended, or that another attempt has begun, stay as they are. */
export const failGitRun = (
  ctx: Context,
  {
    id,
    organizationId,
    spaceId,
    attempt,
  }: Pick<GitRunRow, 'id' | 'organizationId' | 'spaceId'> & Partial<Pick<GitRunRow, 'attempt'>>,
  reason: string,
  watch?: GitWatch,
): Promise<void> =>
  transact(ctx, { id: undefined, versions: undefined }, async (inside) => {
    const now = nowOf(inside);
    const log = watch && { log: JSON.stringify(watch.log) as never }; // json columns are written as text
    const failed = await inside.db
      .updateTable('git_run')
      .set({
        status: 'failed',
        // Servers of repositories choose parts of reasons, and PostgreSQL does not store NUL.
        reason: cutTo(MAX_REASON, reason.replaceAll('\0', '')),
        updatedAt: now,
        completedAt: now,
        credentials: null,
        ...log,
      })
      .where('id', '=', id)
      .where('status', 'in', ['pending', 'in-progress'])
      .$if(attempt !== undefined, (failing) => failing.where('attempt', '=', attempt as number))
      .executeTakeFirst();
    if (failed.numUpdatedRows !== 1n) return;
    await recordEvent(inside, { kind: 'space_gitsync_failed', organizationId, spaceId, ids: { gitRunId: id } });
  });
