import type { ReportOutcome } from '../../../lib/repository/report.ts';

/** Something that an import could not import unchanged. */
export interface ReportLine {
  severity: 'info' | 'warning';
  outcome: ReportOutcome;
  file: string;
  line?: number;
  message: string;
}

export interface ImportReport {
  importedResources: number;
  totalResources: number;
  /** Over the whole report. */
  keptCount: number;
  changedCount: number;
  droppedCount: number;
  /** The first 1,000 entries. */
  report: ReportLine[];
}
