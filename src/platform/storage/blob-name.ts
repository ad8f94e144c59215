/** The name of bytes in every storage, so that a tool that copies names and bytes moves one storage into another. */
export function blobName(hash: Buffer): string {
  const name = hash.toString('hex');
  return `${name.slice(0, 2)}/${name}`;
}

/** The hash that such a name is of; undefined for any other name. */
export function hashOfName(name: string): Buffer | undefined {
  const [, start, hash = ''] = /^([0-9a-f]{2})\/([0-9a-f]{64})$/.exec(name) ?? [];
  return start !== undefined && hash.startsWith(start) ? Buffer.from(hash, 'hex') : undefined;
}
