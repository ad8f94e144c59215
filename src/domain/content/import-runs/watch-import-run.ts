import { type Context, nowOf } from '../../../platform/context/context.ts';
import { type Watch, watchRun } from '../../../platform/jobs/watch-run.ts';
import type { ImportRunRow } from './access.ts';

/** Keeps the row of a running import run up to date. */
export interface ImportWatch extends Watch {
  progress(counts: { pagesFound: number; pagesRead: number }): void;
}

/** Writes the progress of an import run to its row and checks for cancellation, both every second. */
export function watchImportRun(ctx: Context, { id }: ImportRunRow, stopping: AbortSignal): ImportWatch {
  let counts = { pagesFound: 0, pagesRead: 0 };
  const write = () =>
    ctx.db
      .updateTable('import_run')
      .set({ pagesFound: counts.pagesFound, pagesRead: counts.pagesRead, updatedAt: nowOf(ctx) })
      .where('id', '=', id)
      .where('status', '=', 'in-progress')
      .executeTakeFirst();
  return {
    ...watchRun(ctx, write, stopping),
    progress(next) {
      counts = next;
    },
  };
}
