import { MAX_LISTED } from '../../../lib/repository/bounded-report.ts';
import type { Outcome } from '../../../lib/repository/report.ts';
import type { ImportReport } from './import-report.ts';
import type { StoredRepository } from './store-files.ts';

const MAX_TEXT = 1_000;

/** The result of an import. Resources are pages and files. */
export function reportOf({ pageCount, files, stored, report, unlisted }: StoredRepository): ImportReport {
  const count = (kind: Outcome) => report.filter(({ outcome }) => outcome === kind).length + unlisted[kind];
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
