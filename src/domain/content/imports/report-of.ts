import type { Outcome } from '../../../lib/repository/report.ts';
import type { ImportReport } from './import-input.ts';
import type { StoredRepository } from './store-files.ts';

/** More lines are counted and not shown. */
const MAX_LINES = 1_000;
const MAX_TEXT = 1_000;

/** Pages and files are resources. */
export function reportOf({ pageCount, files, stored, report }: StoredRepository): ImportReport {
  const count = (wanted: Outcome) => report.filter(({ outcome }) => outcome === wanted).length;
  return {
    importedResources: pageCount + stored.length,
    totalResources: pageCount + files.length,
    keptCount: count('kept'),
    changedCount: count('changed'),
    droppedCount: count('dropped'),
    report: report.slice(0, MAX_LINES).map((line) => ({
      ...line,
      file: plain(line.file),
      message: plain(line.message),
    })),
  };
}

/** Text that can be stored and sent, whatever it was made of. */
const plain = (text: string) =>
  text
    .slice(0, MAX_TEXT)
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n]/gu, '\ufffd');
