import { posix } from 'node:path';
import type { Archive } from '../../platform/archive/archive.ts';
import type { Context } from '../../platform/context.ts';
import { Refusal } from '../../platform/errors.ts';
import { describeBlob } from '../files/index.ts';
import type { ReadRepository } from './read-repository.ts';
import type { StoredRepository } from './write-repository.ts';

/** The largest file that content may hold (decisions 10). */
const MAX_FILE_BYTES = 20 * 1024 * 1024;

/** Streams the files that pages use into storage. One that is too large is left out and reported. */
export async function storeFiles(
  ctx: Context,
  archive: Archive,
  repository: ReadRepository,
): Promise<StoredRepository> {
  const stored: StoredRepository['stored'] = [];
  const report = [...repository.report];
  for (const { path, fileId } of repository.files) {
    const name = posix.basename(path);
    try {
      const { storage } = ctx.services;
      const blob = await describeBlob(storage, await storage.write(await archive.stream(path), MAX_FILE_BYTES));
      stored.push({ blob, fileId, name });
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'PAYLOAD_TOO_LARGE') throw error;
      report.push({
        severity: 'warning',
        file: path,
        message: `The file is larger than ${MAX_FILE_BYTES} bytes and was left out.`,
      });
    }
  }
  return { ...repository, report, stored };
}
