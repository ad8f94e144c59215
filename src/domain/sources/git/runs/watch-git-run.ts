import { type Context, nowOf } from '../../../../platform/context/context.ts';
import { jsonColumn } from '../../../../platform/database/json-column.ts';
import { type Watch, watchRun } from '../../../../platform/jobs/watch-run.ts';
import type { GitLogEntry, GitReportLine } from '../../../store/git-sync/index.ts';
import type { GitRunRow } from '../access.ts';

/** Keeps the row of a running operation up to date. */
export interface GitWatch extends Watch {
  /** Steps so far. */
  readonly log: readonly GitLogEntry[];
  readonly report: readonly GitReportLine[];
  /** Numbers read so far. Also written when the run ends, because many runs take less than a second. */
  readonly read: Readonly<ReadCounts>;
  /** Numbers of all entries of the report, including those that are not listed. */
  readonly counts: Readonly<Record<GitReportLine['outcome'], number>>;
  /** Adds entries, and numbers of further ones that are not listed. */
  note(entries: readonly GitReportLine[], more?: Partial<Record<GitReportLine['outcome'], number>>): void;
  say(message: string): void;
  progress(counts: ReadCounts): void;
}

interface ReadCounts {
  filesRead?: number;
  pagesRead?: number;
}

const MAX_LOG = 100;
const MAX_LISTED = 1_000;
const OUTCOMES = ['kept', 'changed', 'dropped'] as const;

/** Writes progress and log of a run to its row and checks for cancellation, both every second. */
export function watchGitRun(ctx: Context, { id, attempt }: GitRunRow, stopping: AbortSignal): GitWatch {
  const log: GitLogEntry[] = [];
  const report: GitReportLine[] = [];
  const total = { kept: 0, changed: 0, dropped: 0 };
  const read: ReadCounts = {};
  const write = () =>
    ctx.db
      .updateTable('git_run')
      .set({ ...read, log: jsonColumn(log), updatedAt: nowOf(ctx) })
      .where('id', '=', id)
      .where('status', '=', 'in-progress')
      .where('attempt', '=', attempt)
      .executeTakeFirst();
  return {
    ...watchRun(ctx, write, stopping),
    log,
    report,
    read,
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
      Object.assign(read, next);
    },
  };
}
