import type { Outcome } from '../../../lib/repository/report.ts';
import { textOf } from '../../../platform/text.ts';
import { importSource } from './import-source.ts';

/** What both imports take. */
export const importInput = {
  url: textOf(1, 2048).describe(
    'Where it is: a public address, or the address (or the id) of an upload that you made within the last day.',
  ),
  source: importSource.describe('What is imported.'),
};

/** One thing that an import did not take as it was. */
export interface ReportLine {
  severity: 'info' | 'warning';
  outcome: Outcome;
  file: string;
  line?: number;
  message: string;
}

/** How many things were found and imported, and what was not taken as it is. */
export interface ImportReport {
  importedResources: number;
  totalResources: number;
  /** How often something stayed as it was written, is there in another form, or is not there. */
  keptCount: number;
  changedCount: number;
  droppedCount: number;
  /** The first thousand of these. */
  report: ReportLine[];
}
