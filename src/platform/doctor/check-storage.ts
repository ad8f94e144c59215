import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import type { OpenStorage } from '../storage/open-storage.ts';
import type { StorageLocation } from '../storage/storage-location.ts';
import { closestExistingDirectory } from './check-disk.ts';
import { type CheckResult, fail, pass, reasonOf } from './check-result.ts';

const ADVICE = 'Correct STORAGE_URL, or the permissions or credentials of the service.';

/** Whether files can be stored in a directory or read from a bucket. Writes nothing. */
export async function checkStorage(location: StorageLocation, open: () => Promise<OpenStorage>): Promise<CheckResult> {
  const place = location.kind === 'directory' ? location.path : `s3://${location.bucket}/${location.prefix}`;
  try {
    return location.kind === 'directory' ? await checkDirectory(place) : await checkBucket(place, open);
  } catch (error) {
    return fail('storage', `${place} cannot be used (${reasonOf(error)}). ${ADVICE}`);
  }
}

async function checkDirectory(directory: string): Promise<CheckResult> {
  const existing = await closestExistingDirectory(directory);
  if (!(await stat(existing)).isDirectory()) throw new Error(`${existing} is not a directory`);
  await access(existing, constants.R_OK | constants.W_OK | constants.X_OK);
  if (existing === directory) return pass('storage', `${directory} can be read and written`);
  return pass('storage', `${directory} does not exist yet; the first stored file creates it`);
}

async function checkBucket(place: string, open: () => Promise<OpenStorage>): Promise<CheckResult> {
  const { storage, close } = await open();
  try {
    for await (const hash of storage.list()) {
      const bytes = await storage.read(hash);
      bytes?.destroy();
      return bytes
        ? pass(
            'storage',
            `${place} can be listed and read; whether it can be written is only known once a file is stored`,
          )
        : fail('storage', `${place} does not return the stored file ${hash.toString('hex')}. ${ADVICE}`);
    }
    return pass(
      'storage',
      `${place} can be listed, and is empty; whether it can be written is only known once a file is stored`,
    );
  } finally {
    close();
  }
}
