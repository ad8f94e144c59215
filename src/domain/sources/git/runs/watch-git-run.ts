import { setTimeout as sleep } from 'node:timers/promises';
import { type Context, nowOf } from '../../../../platform/context.ts';
import { loggable } from '../../../../platform/loggable.ts';
import type { GitLogEntry, GitReportLine } from '../../../store/git-sync/index.ts';
import type { GitRunRow } from '../access.ts';

/** The run was cancelled while it was running. */
export class Cancelled extends Error {
  override name = 'Cancelled';
}

/** Keeps the row of a running operation up to date. */
export interface GitWatch {
  /** Aborts when the run is cancelled or the process stops. */
  readonly signal: AbortSignal;
  /** What happened so far. */
  readonly log: readonly GitLogEntry[];
  readonly report: readonly GitReportLine[];
  /** Numbers of all entries of the report, including those that are not listed. */
  readonly counts: Readonly<Record<GitReportLine['outcome'], number>>;
  /** Adds entries, and numbers of further ones that are not listed. */
  note(entries: readonly GitReportLine[], more?: Partial<Record<GitReportLine['outcome'], number>>): void;
  say(message: string): void;
  progress(counts: { filesRead?: number; pagesRead?: number }): void;
  /** Stops the updates. */
  end(): Promise<void>;
}

const EVERY_MS = 1_000;
const MAX_LOG = 100;
const MAX_LISTED = 1_000;
const OUTCOMES = ['kept', 'changed', 'dropped'] as const;

/** Writes progress and log of a run to its row and checks for cancellation, both every second. */
export function watchGitRun(ctx: Context, { id }: GitRunRow, stopping: AbortSignal): GitWatch {
  const [cancelled, over] = [new AbortController(), new AbortController()];
  const log: GitLogEntry[] = [];
  const report: GitReportLine[] = [];
  const total = { kept: 0, changed: 0, dropped: 0 };
  let counts: { filesRead?: number; pagesRead?: number } = {};
  const look = async () => {
    const noted = await ctx.db
      .updateTable('git_run')
      .set({ ...counts, log: JSON.stringify(log) as never, updatedAt: nowOf(ctx) }) // json columns are written as text
      .where('id', '=', id)
      .where('status', '=', 'in-progress')
      .executeTakeFirst();
    if (noted.numUpdatedRows === 0n) cancelled.abort(new Cancelled());
  };
  const watching = (async () => {
    while (!over.signal.aborted && !cancelled.signal.aborted) {
      await sleep(EVERY_MS, undefined, { signal: over.signal }).catch(() => {});
      if (over.signal.aborted) return;
      await look().catch((error) =>
        ctx.log.warn({ err: loggable(error) }, 'The progress of a Git operation could not be written.'),
      );
    }
  })();
  return {
    signal: AbortSignal.any([cancelled.signal, stopping]),
    log,
    report,
    counts: total,
    note(entries, more = {}) {
      for (const entry of entries) {
        if (report.length < MAX_LISTED) report.push(entry);
        total[entry.outcome] += 1;
      }
      for (const outcome of OUTCOMES) total[outcome] += more[outcome] ?? 0;
    },
    say(message) {
      if (log.length < MAX_LOG) log.push({ at: nowOf(ctx), message });
    },
    progress(next) {
      counts = { ...counts, ...next };
    },
    async end() {
      over.abort();
      await watching;
    },
  };
}
