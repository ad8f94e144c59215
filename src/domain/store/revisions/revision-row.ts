import type { Row } from '../../../platform/database/tables.ts';

/** A stored revision: an immutable state of the content of a space. */
export type RevisionRow = Row<'revision'>;

/** Hashes are hexadecimal strings in memory and `bytea` in the database. */
export const toBytes = (hash: string) => Buffer.from(hash, 'hex');

export const toHex = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
