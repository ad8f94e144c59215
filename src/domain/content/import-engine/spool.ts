import { closeSync, openSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';

/** Where texts are in the spool, in bytes: one after another. */
export interface SpoolRange {
  offset: number;
  lengths: number[];
}

const fileIn = (folder: string) => join(folder, 'spool');

/** Writes texts to a file in a folder. For workers, since it blocks. */
export class SpoolWriter {
  readonly #file: number;
  #end = 0;
  /** Used again for each write: a buffer of each body's own would wait for the garbage collector. */
  #buffer = Buffer.allocUnsafeSlow(256 * 1024);

  constructor(folder: string) {
    this.#file = openSync(fileIn(folder), 'wx');
  }

  write(texts: readonly string[]): SpoolRange {
    const lengths = texts.map((text) => Buffer.byteLength(text));
    const size = lengths.reduce((sum, length) => sum + length, 0);
    if (size > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(2 * size);
    let at = 0;
    for (const text of texts) at += this.#buffer.write(text, at);
    for (let offset = 0; offset < size; ) offset += writeSync(this.#file, this.#buffer, offset, size - offset);
    const range = { offset: this.#end, lengths };
    this.#end += size;
    return range;
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Reads what a `SpoolWriter` has written. The file is opened with the first texts. */
export class SpoolReader {
  readonly #folder: string;
  #file: Promise<FileHandle> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The texts in UTF-8, as parts of one buffer. */
  async read({ offset, lengths }: SpoolRange): Promise<Buffer[]> {
    this.#file ??= open(fileIn(this.#folder));
    const size = lengths.reduce((sum, length) => sum + length, 0);
    const bytes = Buffer.allocUnsafe(size);
    const { bytesRead } = await (await this.#file).read(bytes, 0, size, offset);
    if (bytesRead !== size) throw new Error('The spool of an import is incomplete.');
    let at = 0;
    return lengths.map((length) => {
      at += length;
      return bytes.subarray(at - length, at);
    });
  }

  async close(): Promise<void> {
    await (await this.#file)?.close();
  }
}
