import { setTimeout as sleep } from 'node:timers/promises';
import { type Context, nowOf } from '../../../platform/context.ts';
import { loggable } from '../../../platform/loggable.ts';
import type { ImportRunRow } from './access.ts';

/** The import run was cancelled while it was running. */
export class Cancelled extends Error {
  override name = 'Cancelled';
}

/** Keeps the row of a running import run up to date. */
export interface Watch {
  /** Aborts when the import run is cancelled or the process stops. */
  readonly signal: AbortSignal;
  progress(counts: { found: number; read: number }): void;
  /** Stops the updates. */
  end(): Promise<void>;
}

const EVERY_MS = 1_000;

/** Writes the progress of an import run to its row and checks for cancellation, both every second. */
export function watchRun(ctx: Context, { id }: ImportRunRow, stopping: AbortSignal): Watch {
  const cancelled = new AbortController();
  const over = new AbortController();
  let counts = { found: 0, read: 0 };
  const look = async () => {
    const noted = await ctx.db
      .updateTable('import_run')
      .set({ pagesFound: counts.found, pagesRead: counts.read, updatedAt: nowOf(ctx) })
      .where('id', '=', id)
      .where('status', '=', 'in-progress')
      .executeTakeFirst();
    if (noted.numUpdatedRows === 0n) cancelled.abort(new Cancelled());
  };
  const watching = (async () => {
    while (!over.signal.aborted && !cancelled.signal.aborted) {
      await sleep(EVERY_MS, undefined, { signal: over.signal }).catch(() => {});
      if (!over.signal.aborted)
        await look().catch((error) =>
          ctx.log.warn({ err: loggable(error) }, 'The progress of an import run could not be written.'),
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
