import type { Archive } from '../../platform/archive/archive.ts';
import { ArchiveError } from '../../platform/archive/archive.ts';
import { openArchive } from '../../platform/archive/read-zip.ts';
import type { Context } from '../../platform/context.ts';
import { badInput } from '../../platform/errors.ts';
import { uploadFor } from '../uploads/index.ts';
import { readRepository } from './read-repository.ts';
import { storeFiles } from './store-files.ts';
import type { StoredRepository } from './write-repository.ts';

/** Reads an uploaded archive and puts its files into storage; rows are written later, in the command's transaction. */
export async function prepareImport(ctx: Context, organizationId: string, url: string): Promise<StoredRepository> {
  const { localFile } = await uploadFor(ctx, organizationId, url);
  try {
    return await readArchive(ctx, () => openArchive(localFile.path));
  } finally {
    await localFile.release();
  }
}

/** The same for any archive: a folder, for instance. */
export async function readArchive(ctx: Context, open: () => Promise<Archive>): Promise<StoredRepository> {
  try {
    const archive = await open();
    try {
      return await storeFiles(ctx, archive, await readRepository(archive));
    } finally {
      await archive.close();
    }
  } catch (error) {
    throw error instanceof ArchiveError ? badInput(['url'], error.message) : error;
  }
}
