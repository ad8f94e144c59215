import type { Outcome } from '../../../lib/repository/report.ts';
import { textOf } from '../../../platform/text.ts';
import { importSource } from './import-source.ts';

/** The input that is common to both imports. */
export const importInput = {
  url: textOf(1, 2048).describe(
    'Source of the import: a public URL, or the URL or ID of one of your uploads of the last 24 hours.',
  ),
  source: importSource.describe('Type of the source.'),
};

/** Something that an import could not import unchanged. */
export interface ReportLine {
  severity: 'info' | 'warning';
  outcome: Outcome;
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
