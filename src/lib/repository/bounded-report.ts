import type { ReportEntry, ReportOutcome } from './report.ts';

/** Further entries are only counted: a source can have several for each line. */
export const MAX_LISTED = 1_000;

/** The first entries of a report. */
export class BoundedReport {
  readonly entries: ReportEntry[] = [];
  /** Numbers of the entries that are not listed. */
  readonly more: Record<ReportOutcome, number> = { kept: 0, changed: 0, dropped: 0 };

  push(entry: ReportEntry): void {
    if (this.entries.length < MAX_LISTED) this.entries.push(entry);
    else this.more[entry.outcome] += 1;
  }

  /** Adds another report behind the entries of this one. */
  add(entries: readonly ReportEntry[], more?: Readonly<Record<ReportOutcome, number>>): void {
    for (const entry of entries) this.push(entry);
    for (const outcome of ['kept', 'changed', 'dropped'] as const) this.more[outcome] += more?.[outcome] ?? 0;
  }
}
