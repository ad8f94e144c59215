import { closeSync, openSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';

/** Where a value is in the spool, in bytes. */
export interface SpoolRange {
  offset: number;
  length: number;
}

const fileIn = (folder: string) => join(folder, 'spool');

/** Writes values of JSON to a file in a folder. For threads, since it blocks. */
export class SpoolWriter {
  readonly #file: number;
  #end = 0;

  constructor(folder: string) {
    this.#file = openSync(fileIn(folder), 'wx');
  }

  write(value: unknown): SpoolRange {
    const bytes = Buffer.from(JSON.stringify(value));
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written);
    const range = { offset: this.#end, length: bytes.length };
    this.#end += bytes.length;
    return range;
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Reads what a `SpoolWriter` has written. The file is opened with the first value. */
export class SpoolReader {
  readonly #folder: string;
  #file: Promise<FileHandle> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read<Value>({ offset, length }: SpoolRange): Promise<Value> {
    this.#file ??= open(fileIn(this.#folder));
    const bytes = Buffer.allocUnsafe(length);
    const { bytesRead } = await (await this.#file).read(bytes, 0, length, offset);
    if (bytesRead !== length) throw new Error('The spool of an import is incomplete.');
    return JSON.parse(bytes.toString('utf8')); // written by `SpoolWriter`
  }

  async close(): Promise<void> {
    await (await this.#file)?.close();
  }
}
