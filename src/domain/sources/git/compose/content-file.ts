import { closeSync, openSync, readSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import type { JSONDocument } from '../../../../lib/document/document.ts';

/** Range of a body in the file of bodies, in bytes. */
export interface BodyRange {
  offset: number;
  length: number;
}

const fileIn = (folder: string) => join(folder, 'bodies');

/** Writes bodies to a file in a folder, because the bodies of a space do not fit into a message. */
export class BodyWriter {
  readonly #file: FileHandle;
  #end = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  static open = async (folder: string): Promise<BodyWriter> => new BodyWriter(await open(fileIn(folder), 'w'));

  async write(body: JSONDocument): Promise<BodyRange> {
    const bytes = Buffer.from(JSON.stringify(body));
    await this.#file.write(bytes, 0, bytes.length, this.#end);
    const range = { offset: this.#end, length: bytes.length };
    this.#end += bytes.length;
    return range;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** Reads the file of a `BodyWriter`. Blocking: for workers. */
export class BodyReader {
  readonly #file: number;

  constructor(folder: string) {
    this.#file = openSync(fileIn(folder), 'r');
  }

  read({ offset, length }: BodyRange): JSONDocument {
    const bytes = Buffer.allocUnsafe(length);
    if (readSync(this.#file, bytes, 0, length, offset) !== length) throw new Error('The file of bodies is incomplete.');
    return JSON.parse(bytes.toString('utf8')); // written by `BodyWriter`
  }

  close(): void {
    closeSync(this.#file);
  }
}
