import { z } from 'zod';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { jsonColumn } from '../../../platform/database/json-column.ts';
import { allowLongStatements } from '../../../platform/database/session.ts';
import { unavailabilityOf } from '../../../platform/database/unavailable.ts';
import { ApiError, isPassing } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { defineJob, type Job } from '../../../platform/jobs/job.ts';
import { RunEnded } from '../../../platform/jobs/watch-run.ts';
import { withCleanup } from '../../../platform/operation/cleanup.ts';
import { transact } from '../../../platform/operation/transact.ts';
import { asRunCreator } from '../../people/access/index.ts';
import { loadSpace } from '../../places/spaces/index.ts';
import { loadChangeRequest } from '../change-requests/index.ts';
import {
  importIntoChangeRequest,
  importIntoSpace,
  nameContent,
  type StoredRepository,
} from '../import-engine/index.ts';
import type { ImportRunRow } from './access.ts';
import { RUN_COLUMNS } from './columns.ts';
import { failImportRun } from './fail-import-run.ts';
import { gatherRun } from './gather-run.ts';
import { watchImportRun } from './watch-import-run.ts';

const data = z.object({ importRunId: z.string() });

/** Retries after errors that the source did not cause. */
const RETRIES = 3;
const EXPIRES_SECONDS = 3_600;

/**
 * Executes an import run. The content and the final status are written in one transaction, so a killed job can start
 * again from the beginning. Import runs that have ended are skipped.
 */
export const runImport: Job<typeof data> = defineJob(
  'run-import',
  data,
  async (ctx, { importRunId }, { signal, retries }) => {
    const run = await begin(ctx, importRunId);
    if (!run) return;
    const creatorCtx = asRunCreator(ctx, run);
    const watch = watchImportRun(ctx, run, signal);
    try {
      await withCleanup(creatorCtx, async (scoped) => {
        const repository = await named(scoped, run, await gatherRun(scoped, run, watch));
        await watch.end();
        await write(scoped, run, repository);
      });
    } catch (error) {
      await watch.end();
      if (error instanceof RunEnded) return;
      if (error instanceof ApiError && !isPassing(error)) return failImportRun(creatorCtx, run, error.message);
      if (signal.aborted || retries < RETRIES) throw error;
      const reason =
        unavailabilityOf(error)?.message ?? 'The import failed several times because of an internal error.';
      await failImportRun(creatorCtx, run, reason);
      throw error;
    }
  },
  { concurrency: 2, concurrencyPerGroup: 1, expiresIn: EXPIRES_SECONDS, retries: RETRIES },
);

/** Claims a queued import run, or one whose previous attempt was interrupted. */
const begin = (ctx: Context, importRunId: string): Promise<ImportRunRow | undefined> =>
  ctx.db
    .updateTable('import_run')
    .set((run) => ({
      status: 'in-progress',
      startedAt: run.fn.coalesce('startedAt', run.val(nowOf(ctx))),
      updatedAt: nowOf(ctx),
    }))
    .where('id', '=', importRunId)
    .where('status', 'in', ['pending', 'in-progress'])
    .returning(RUN_COLUMNS)
    .executeTakeFirst();

/** Replaces URLs of content by references. A target that no longer exists is reported when the content is written. */
async function named(ctx: Context, run: ImportRunRow, repository: StoredRepository): Promise<StoredRepository> {
  const target =
    run.changeRequestId === null
      ? await loadSpace(ctx, run.spaceId)
      : await loadChangeRequest(ctx, run.changeRequestId);
  return target ? nameContent(ctx, repository, target.revisionId) : repository;
}

const write = (ctx: Context, run: ImportRunRow, repository: StoredRepository): Promise<void> =>
  transact(ctx, async (inside) => {
    await allowLongStatements(inside.db);
    const { spaceId, changeRequestId, pageId } = run;
    const result =
      changeRequestId === null
        ? await importIntoSpace(inside, spaceId, repository, { parentId: pageId })
        : await importIntoChangeRequest(inside, { changeRequestId, spaceId }, repository, { parentId: pageId });
    const now = nowOf(inside);
    const { id, organizationId } = run;
    const { keptCount, changedCount, droppedCount, report, revisionId } = result;
    const ended = await inside.db
      .updateTable('import_run')
      .set({
        status: 'completed',
        updatedAt: now,
        completedAt: now,
        pagesFound: repository.pageCount,
        pagesRead: repository.pageCount,
        pagesWritten: repository.pageCount,
        filesWritten: repository.stored.length,
        keptCount,
        changedCount,
        droppedCount,
        report: jsonColumn(report),
        revisionId,
      })
      .where('id', '=', id)
      .where('status', '=', 'in-progress')
      .executeTakeFirst();
    // Cancelled, or completed by another attempt: roll back.
    if (ended.numUpdatedRows !== 1n) throw new RunEnded();
    const ids = { importRunId: id, revisionId };
    await recordEvent(inside, { kind: 'import_run_completed', organizationId, spaceId, ids });
  });
