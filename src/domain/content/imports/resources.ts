import { types } from '../../../platform/resource/field-types.ts';
import type { FieldMaker } from '../../../platform/resource/make-fields.ts';
import { resource } from '../../../platform/resource/resource.ts';
import { outcome, severity } from './enums.ts';
import type { ImportReport, ReportLine } from './import-input.ts';

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

export type Imported = ImportReport & { spaceId: string; revisionId: string };

/** The result of an import: the body of the response in REST, the payload of the mutations in the graph. */
export const importResult = resource<Imported>({ name: 'ImportResult', description: 'Result of an import.' }, (f) => ({
  revision: f.id('rev')('ID of the new revision.', ({ revisionId }) => revisionId, { graph: false }),
  importedResources: f.count('Number of pages and files that were imported.', (row) => row.importedResources),
  totalResources: f.count('Number of pages in the source, and of files that they use.', (row) => row.totalResources),
  ...outcomeCounts(f),
  report: f.list(types.object(() => reportEntry))(
    'Parts of the source that could not be imported unchanged, up to 1,000 entries.',
    ({ report }) => report,
  ),
}));
