export { bringSource } from './bring-source.ts';
export { type Gathering, gatherFiles, gatherSite } from './gather.ts';
export { importIntoChangeRequest } from './import-change-request-content.ts';
export type { ReportLine } from './import-input.ts';
export { importIntoSpace } from './import-space-content.ts';
export { nameContent } from './name-content.ts';
export { readGiven } from './prepare-import.ts';
export { outcomeCounts, reportEntry } from './resources.ts';
export type { StoredRepository } from './store-files.ts';
