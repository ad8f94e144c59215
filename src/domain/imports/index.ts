export { importIntoSpace } from './import-space-content.ts';
export { readArchive } from './prepare-import.ts';
export type { StoredRepository } from './write-repository.ts';
