import { migrations } from '../migrations/index.ts';
import { tableNames } from './entities.ts';

/** The contents of a backup. */
export const backupParts = {
  tables: tableNames,
  migrations,
  storedHashes: 'select hash from blob union select blob_hash from upload where blob_hash is not null',
};
