/** Hashes are hexadecimal strings in memory and `bytea` in the database. */
export const toBytes = (hash: string) => Buffer.from(hash, 'hex');

export const toHex = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
