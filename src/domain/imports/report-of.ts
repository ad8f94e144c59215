import type { ImportReport } from './import-input.ts';
import type { StoredRepository } from './write-repository.ts';

/** Pages and files are resources. */
export function reportOf({ pageCount, files, stored, report }: StoredRepository): ImportReport {
  return { importedResources: pageCount + stored.length, totalResources: pageCount + files.length, report };
}
