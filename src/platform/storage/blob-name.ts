/**
 * The name of a file in all storages. Since it is the same in all of them, files can be copied between storages with
 * other tools.
 */
export function blobName(hash: Buffer): string {
  const name = hash.toString('hex');
  return `${name.slice(0, 2)}/${name}`;
}

/** The hash in a name, or undefined if it is not a name of a file. */
export function hashOfName(name: string): Buffer | undefined {
  const [, start, hash = ''] = /^([0-9a-f]{2})\/([0-9a-f]{64})$/.exec(name) ?? [];
  return start !== undefined && hash.startsWith(start) ? Buffer.from(hash, 'hex') : undefined;
}
