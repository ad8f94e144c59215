export { importIntoSpace } from './import-space-content.ts';
export { readGiven } from './prepare-import.ts';
export type { StoredRepository } from './store-files.ts';
