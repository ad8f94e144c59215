import { MAX_LISTED } from '../../../lib/repository/bounded-report.ts';
import type { ReportEntry, ReportOutcome } from '../../../lib/repository/report.ts';
import type { ImportReport } from './import-report.ts';
import type { StoredRepository } from './store-files.ts';

const MAX_TEXT = 1_000;

/** The result of an import, with entries about writing it first. Resources are pages and files. */
export function reportOf(
  { pageCount, files, stored, report: read, unlisted }: StoredRepository,
  written: readonly ReportEntry[] = [],
): ImportReport {
  const report = [...written, ...read];
  const count = (kind: ReportOutcome) => report.filter(({ outcome }) => outcome === kind).length + unlisted[kind];
  return {
    importedResources: pageCount + stored.length,
    totalResources: pageCount + files.length,
    keptCount: count('kept'),
    changedCount: count('changed'),
    droppedCount: count('dropped'),
    report: report.slice(0, MAX_LISTED).map((line) => ({
      ...line,
      file: plain(line.file),
      message: plain(line.message),
    })),
  };
}

/** Replaces what PostgreSQL or JSON cannot hold: unpaired surrogates and control characters. */
const plain = (text: string) =>
  text
    .slice(0, MAX_TEXT)
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n]/gu, '\ufffd');
