import { setTimeout as sleep } from 'node:timers/promises';
import { type Context, nowOf } from '../../../platform/context.ts';
import { loggable } from '../../../platform/loggable.ts';
import type { TranslationRow } from './access.ts';
import { RunEnded } from './run-state.ts';

const EVERY_MS = 1_000;

/** Keeps the row of a running translation up to date. */
export interface Watch {
  /** Aborts when the run is cancelled or the process stops. */
  readonly signal: AbortSignal;
  progress(counts: { total: number; done: number }): void;
  /** Stops the updates. */
  end(): Promise<void>;
}

/** Writes the progress of a run to its row and checks for cancellation, both every second. */
export function watchRun(ctx: Context, { id, runNumber }: TranslationRow, stopping: AbortSignal): Watch {
  const cancelled = new AbortController();
  const over = new AbortController();
  let counts = { total: 0, done: 0 };
  const look = async () => {
    const noted = await ctx.db
      .updateTable('translation')
      .set({ pagesTotal: counts.total, pagesDone: counts.done, updatedAt: nowOf(ctx) })
      .where('id', '=', id)
      .where('runNumber', '=', runNumber)
      .where('status', '=', 'running')
      .executeTakeFirst();
    if (noted.numUpdatedRows === 0n) cancelled.abort(new RunEnded());
  };
  const watching = (async () => {
    while (!over.signal.aborted && !cancelled.signal.aborted) {
      await sleep(EVERY_MS, undefined, { signal: over.signal }).catch(() => {});
      if (!over.signal.aborted)
        await look().catch((error) =>
          ctx.log.warn({ err: loggable(error) }, 'The progress of a translation could not be written.'),
        );
    }
  })();
  return {
    signal: AbortSignal.any([cancelled.signal, stopping]),
    progress: (next) => {
      counts = next;
    },
    async end() {
      over.abort();
      await watching;
    },
  };
}
