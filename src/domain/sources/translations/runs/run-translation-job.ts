import { z } from 'zod';
import { type Context, nowOf } from '../../../../platform/context/context.ts';
import { enqueue } from '../../../../platform/jobs/enqueue.ts';
import { defineJob, type Job } from '../../../../platform/jobs/job.ts';
import { RunEnded } from '../../../../platform/jobs/watch-run.ts';
import { withCleanup } from '../../../../platform/operation/cleanup.ts';
import { transact } from '../../../../platform/operation/transact.ts';
import { UnreadableSecret } from '../../../../platform/secret-key/errors.ts';
import { TRANSLATION_COLUMNS, type TranslationRow } from '../access.ts';
import { ProviderError } from '../providers/provider.ts';
import { type ComputedRun, computeRun } from './compute-run.ts';
import { failTranslationRun, HeadMoved, RunFailed } from './run-state.ts';
import { watchTranslationRun } from './watch-translation-run.ts';
import { writeTranslation } from './write-translation.ts';

const data = z.object({ translationId: z.string(), runNumber: z.int() });

const RETRIES = 3;
const EXPIRES_SECONDS = 3_600;

/**
 * Runs a translation: computes its content from the head of its source, and writes it and the end of the run in one
 * transaction. A killed job starts again and finds translated segments in the memory. Does nothing if another run was
 * requested since, or the run was cancelled.
 */
export const runTranslationJob: Job<typeof data> = defineJob(
  'run-translation',
  data,
  async (ctx, { translationId, runNumber }, { signal, retries }) => {
    const begun = performance.now();
    const translation = await begin(ctx, translationId, runNumber);
    if (!translation) return;
    const duration = () => Math.round(performance.now() - begun);
    try {
      await withCleanup(ctx, (scoped) => computeAndWrite(scoped, translation, signal, duration));
    } catch (error) {
      if (error instanceof RunEnded) return;
      if (error instanceof HeadMoved) return postponeRun(ctx, translation);
      const isReason =
        error instanceof RunFailed || error instanceof ProviderError || error instanceof UnreadableSecret;
      if (isReason) return failTranslationRun(ctx, translation, error.message);
      if (signal.aborted || retries < RETRIES) throw error;
      await failTranslationRun(ctx, translation, 'The run failed several times because of an internal error.');
      throw error;
    }
  },
  { concurrency: 2, concurrencyPerGroup: 1, expiresIn: EXPIRES_SECONDS, retries: RETRIES },
);

/**
 * Attempts when people change the translated space at the same time. All but the first find their segments in the
 * memory.
 */
const MAX_ATTEMPTS = 5;

async function computeAndWrite(
  ctx: Context,
  translation: TranslationRow,
  stopping: AbortSignal,
  duration: () => number,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const run = await computeWatched(ctx, translation, stopping);
    try {
      return await writeTranslation(ctx, translation, { ...run, duration });
    } catch (error) {
      if (!(error instanceof HeadMoved) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** Delay in seconds of a run that gave up because people keep changing the translated space. */
const POSTPONED_SECONDS = 30;

/** Queues the run again, as another one. Nothing was written, so edits and former content are as they were. */
const postponeRun = (ctx: Context, { id, organizationId, runNumber }: TranslationRow): Promise<void> =>
  transact(ctx, async (inside) => {
    const postponed = await inside.db
      .updateTable('translation')
      .set({ runNumber: runNumber + 1, pagesDone: 0, updatedAt: nowOf(inside) })
      .where('id', '=', id)
      .where('runNumber', '=', runNumber)
      .where('status', '=', 'running')
      .executeTakeFirst();
    if (postponed.numUpdatedRows !== 1n) return;
    const queued = { translationId: id, runNumber: runNumber + 1 };
    await enqueue(inside, runTranslationJob, queued, { group: organizationId, startAfter: POSTPONED_SECONDS });
  });

/** Computes a run while its progress is written. Throws `RunEnded` if it is cancelled meanwhile. */
async function computeWatched(ctx: Context, translation: TranslationRow, stopping: AbortSignal): Promise<ComputedRun> {
  const watch = watchTranslationRun(ctx, translation, stopping);
  try {
    return await computeRun(ctx, translation, watch);
  } catch (error) {
    throw watch.signal.reason instanceof RunEnded ? watch.signal.reason : error;
  } finally {
    await watch.end();
  }
}

/** Claims a queued run, or one whose previous attempt was interrupted. */
const begin = (ctx: Context, id: string, runNumber: number): Promise<TranslationRow | undefined> =>
  ctx.db
    .updateTable('translation')
    .set({ status: 'running', startedAt: nowOf(ctx), updatedAt: nowOf(ctx), pagesDone: 0 })
    .where('id', '=', id)
    .where('runNumber', '=', runNumber)
    .where((row) =>
      row.or([row('status', '=', 'running'), row.and([row('status', '=', 'pending'), row('lastError', 'is', null)])]),
    )
    .returning(TRANSLATION_COLUMNS)
    .executeTakeFirst();
