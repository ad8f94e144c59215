/** The name of bytes in every storage, so that a tool that copies names and bytes moves one storage into another. */
export function blobName(hash: Buffer): string {
  const name = hash.toString('hex');
  return `${name.slice(0, 2)}/${name}`;
}
