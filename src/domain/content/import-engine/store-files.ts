import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Readable } from 'node:stream';
import { markErrorsHandled } from '../../../lib/mark-handled.ts';
import { warning } from '../../../lib/repository/report.ts';
import { type Archive, ArchiveError } from '../../../platform/archive/archive.ts';
import { readFolder } from '../../../platform/archive/read-folder.ts';
import { openArchive } from '../../../platform/archive/read-zip.ts';
import type { Context } from '../../../platform/context/context.ts';
import { ApiError } from '../../../platform/errors/errors.ts';
import { type DescribedBlob, describeBlob } from '../files/index.ts';
import type { ReadRepository } from './reading.ts';
import type { UsedFile } from './repository-references.ts';
import type { FileLocation } from './sources/source.ts';

/** A repository whose files are in storage. */
export interface StoredRepository extends ReadRepository {
  stored: { blob: DescribedBlob; fileId: string; name: string }[];
}

/** The largest file of a space. */
const MAX_FILE_BYTES = 20 * 1024 * 1024;

/** Streams the files that pages use into storage. Files that are too large are left out and reported. */
export async function storeFiles(
  ctx: Context,
  repository: ReadRepository,
  signal?: AbortSignal,
): Promise<StoredRepository> {
  const stored: StoredRepository['stored'] = [];
  const report = [...repository.report];
  const containers = new Containers();
  try {
    for (const file of repository.files) {
      signal?.throwIfAborted();
      const blob = await storeFile(ctx, file, containers);
      if (typeof blob === 'string') report.push(warning(file.path, `The file ${blob} and was left out.`));
      else stored.push({ blob, fileId: file.fileId, name: posix.basename(file.path) });
    }
  } finally {
    await containers.close();
  }
  return { ...repository, report, stored };
}

/** Returns why a file cannot be stored, if it cannot. */
async function storeFile(
  { services: { storage } }: Context,
  { place }: UsedFile,
  containers: Containers,
): Promise<DescribedBlob | string> {
  try {
    return await describeBlob(storage, await storage.write(await containers.stream(place), MAX_FILE_BYTES));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'PAYLOAD_TOO_LARGE')
      return `is larger than ${MAX_FILE_BYTES} bytes`;
    if (error instanceof ArchiveError) return 'cannot be unpacked';
    throw error;
  }
}

/** Archives and folders, each opened once. */
class Containers {
  readonly #opened = new Map<string, Promise<Archive>>();

  async stream({ container, entry }: FileLocation): Promise<Readable> {
    if (entry === undefined) return markErrorsHandled(createReadStream(container));
    const opened = this.#opened.get(container) ?? open(container);
    this.#opened.set(container, opened);
    return (await opened).stream(entry);
  }

  async close(): Promise<void> {
    for (const opened of this.#opened.values()) await opened.then((archive) => archive.close());
  }
}

async function open(container: string): Promise<Archive> {
  return (await stat(container)).isDirectory() ? readFolder(container) : openArchive(container);
}
