import type { FieldMaker } from '../../../platform/resource/make-fields.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { outcome, severity } from './enums.ts';
import type { ImportReport, ReportLine } from './import-report.ts';

export const reportEntry = resource<ReportLine>(
  { name: 'ImportReportEntry', description: 'A part of the source that an import could not import unchanged.' },
  (f) => ({
    severity: f.enum(severity)('Severity of the entry.', (entry) => entry.severity),
    outcome: f.enum(outcome)('How the import treated the part of the source.', (entry) => entry.outcome),
    file: f.string('Path of the file in the source, or URL of the page.', ({ file }) => file),
    line: f.int.optional('Line number in the file, starting at 1. Null if unknown.', ({ line }) => line),
    message: f.string('Description of the problem and of what the import did.', ({ message }) => message),
  }),
);

/** The counts of an import and of an import run. */
export const outcomeCounts = <Row extends Pick<ImportReport, 'keptCount' | 'changedCount' | 'droppedCount'>>(
  f: FieldMaker<Row>,
) => ({
  keptCount: f.count(
    'Number of parts of the source that were kept as written because they could not be converted.',
    (row) => row.keptCount,
  ),
  changedCount: f.count(
    'Number of parts of the source that were imported in a different form.',
    (row) => row.changedCount,
  ),
  droppedCount: f.count('Number of parts of the source that were left out.', (row) => row.droppedCount),
});
