import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectoryDurably, renameDurably } from '../disk/rename-durably.ts';
import { SecretKeyError } from '../secret-key/errors.ts';
import type { StorageLocation } from './storage-location.ts';

/** Name of the file in a directory of stored files that names the installation they belong to. */
const NAME = 'installation';

/** The installation that stored files belong to. Undefined for a bucket, and before the first start. */
export async function ownerOfFiles(location: StorageLocation): Promise<string | undefined> {
  if (location.kind !== 'directory') return undefined;
  const text = await readFile(join(location.path, NAME), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text?.trim();
}

/** Writes down which installation the files of a directory belong to. */
async function claimFiles(location: StorageLocation, installation: string): Promise<void> {
  if (location.kind !== 'directory') return;
  await makeDirectoryDurably(location.path, 0o700);
  const file = join(location.path, NAME);
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${installation}\n`, { mode: 0o600, flush: true });
  await renameDurably(draft, file);
}

/** Claims files for an installation. Refuses those of another one, with what to do. */
export async function acceptFiles(location: StorageLocation, installation: string): Promise<void> {
  const owner = await ownerOfFiles(location);
  if (owner === undefined) return claimFiles(location, installation);
  const reason = refusalOfFiles(location, { owner, installation });
  if (reason !== undefined) throw new SecretKeyError(reason);
}

/** Why the files do not belong to an installation. Undefined if they do, and if they have no owner yet. */
export function refusalOfFiles(
  location: StorageLocation,
  { owner, installation }: { owner: string | undefined; installation: string | undefined },
): string | undefined {
  if (location.kind !== 'directory' || owner === undefined || owner === installation) return undefined;
  const database =
    installation === undefined ? 'this database is new' : 'this database belongs to another installation';
  return `The files in ${location.path} belong to an installation whose database is missing: ${database}. Restore the database and the files from the same backup, or correct DATABASE_URL, DATA_DIR and STORAGE_URL. If these files are the right ones, remove ${join(location.path, NAME)} and start again.`;
}
