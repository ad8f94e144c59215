import { type Context, nowOf } from '../../../../platform/context/context.ts';
import { type Watch, watchRun } from '../../../../platform/jobs/watch-run.ts';
import type { TranslationRow } from '../access.ts';

/** Keeps the row of a running translation up to date. */
export interface TranslationWatch extends Watch {
  progress(counts: { total: number; done: number }): void;
}

/** Writes the progress of a run to its row and checks for cancellation, both every second. */
export function watchTranslationRun(
  ctx: Context,
  { id, runNumber }: TranslationRow,
  stopping: AbortSignal,
): TranslationWatch {
  let counts = { total: 0, done: 0 };
  const write = () =>
    ctx.db
      .updateTable('translation')
      .set({ pagesTotal: counts.total, pagesDone: counts.done, updatedAt: nowOf(ctx) })
      .where('id', '=', id)
      .where('runNumber', '=', runNumber)
      .where('status', '=', 'running')
      .executeTakeFirst();
  return {
    ...watchRun(ctx, write, stopping),
    progress(next) {
      counts = next;
    },
  };
}
