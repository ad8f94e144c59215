import fs from 'node:fs';
import { createRequire } from 'node:module';

/** Maximum size of one object of a repository, after decompression. */
export const MAX_OBJECT_BYTES = 32 * 1024 * 1024;

/** Maximum number of objects of a pack. */
const MAX_OBJECTS = 250_000;

/** Maximum size of all objects that are decompressed, each as often as it is read, and of the results of deltas. */
const MAX_READ_BYTES = 2 * 1024 * 1024 * 1024;

/** An object of the repository is larger than `MAX_OBJECT_BYTES`. */
export class ObjectTooLarge extends Error {
  override name = 'ObjectTooLarge';
}

/** A pack has more than `MAX_OBJECTS` objects, or they are too large together. */
export class PackTooLarge extends Error {
  override name = 'PackTooLarge';
}

interface Inflating {
  total?: number;
}

interface Pako {
  Inflate: { prototype: { onData(this: Inflating, chunk: Uint8Array): void } };
}

const require = createRequire(createRequire(import.meta.url).resolve('isomorphic-git'));

/**
 * Runs git work of a worker with limited objects. isomorphic-git decompresses objects and applies deltas of any size,
 * and a small pack can contain objects of terabytes. Only for workers, which run one task at a time: it replaces
 * functions of the whole process meanwhile.
 */
export async function withBoundedObjects<Result>(act: () => Promise<Result>): Promise<Result> {
  const { Inflate } = require('pako') as Pako; // that of isomorphic-git
  const { onData } = Inflate.prototype;
  const { alloc } = Buffer;
  let read = 0;
  const count = (bytes: number) => {
    read += bytes;
    if (read > MAX_READ_BYTES) throw new PackTooLarge('Its objects are too large together.');
  };
  Inflate.prototype.onData = function (this: Inflating, chunk) {
    this.total = (this.total ?? 0) + chunk.length;
    if (this.total > MAX_OBJECT_BYTES) throw new ObjectTooLarge();
    count(chunk.length);
    onData.call(this, chunk);
  };
  // The result of a delta is allocated with the size that the delta declares.
  Buffer.alloc = ((size: number, ...rest: []) => {
    if (size > MAX_OBJECT_BYTES) throw new ObjectTooLarge();
    count(size);
    return alloc(size, ...rest);
  }) as typeof alloc;
  try {
    return await act();
  } finally {
    Inflate.prototype.onData = onData;
    Buffer.alloc = alloc;
  }
}

/** The number of objects that the header of a pack declares (gitformat-pack). */
export function rejectLargePack(pack: Uint8Array): void {
  const objects = pack.length < 12 ? 0 : Buffer.from(pack.buffer, pack.byteOffset, 12).readUInt32BE(8);
  if (objects > MAX_OBJECTS) throw new PackTooLarge(`It has ${objects} objects. The limit is ${MAX_OBJECTS}.`);
}

/** The file system for a fetch. A pack with too many objects is refused before they are read. */
export const boundedPacks = {
  promises: {
    ...fs.promises,
    async writeFile(path: string, data: Uint8Array | string, options: object) {
      if (path.endsWith('.pack') && typeof data !== 'string') rejectLargePack(data);
      await fs.promises.writeFile(path, data, options);
    },
  },
};
