import { setTimeout as sleep } from 'node:timers/promises';
import { linkSignals } from '../../lib/link-signals.ts';
import { markHandled } from '../../lib/mark-handled.ts';
import type { Context } from '../context/context.ts';
import { loggable } from '../log/loggable.ts';

/** The run was cancelled or deleted, or completed by another attempt, while it was in progress. */
export class RunEnded extends Error {
  override name = 'RunEnded';
}

/** Keeps the row of a run that is in progress up to date. */
export interface Watch {
  /** Aborts with `RunEnded` when the run is no longer in progress, and when the process stops. */
  readonly signal: AbortSignal;
  /** Stops the updates. */
  end(): Promise<void>;
}

const EVERY_MS = 1_000;

/**
 * Calls `write` every second until the end. It writes the progress to the row of the run, and returns how many rows it
 * updated: none if the run is no longer in progress. Faults of it are logged, and the next second tries again.
 */
export function watchRun(
  { log }: Pick<Context, 'log'>,
  write: () => Promise<{ numUpdatedRows: bigint }>,
  stopping: AbortSignal,
): Watch {
  const [cancelled, over] = [new AbortController(), new AbortController()];
  const look = async () => {
    const { numUpdatedRows } = await write();
    if (numUpdatedRows === 0n) cancelled.abort(new RunEnded());
  };
  const writeUntilOver = async () => {
    while (!over.signal.aborted && !cancelled.signal.aborted) {
      await sleep(EVERY_MS, undefined, { signal: over.signal }).catch(() => {});
      if (over.signal.aborted) return;
      await look().catch((error) => log.warn({ err: loggable(error) }, 'The progress of a run could not be written.'));
    }
  };
  const watching = markHandled(writeUntilOver());
  const linked = linkSignals([cancelled.signal, stopping]);
  return {
    signal: linked.signal,
    async end() {
      over.abort();
      linked[Symbol.dispose]();
      await watching;
    },
  };
}
