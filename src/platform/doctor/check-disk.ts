import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type CheckResult, fail, pass, reasonOf } from './check-result.ts';

const MIN_FREE_BYTES = 1024 ** 3;

/** Whether a directory, or its closest existing parent, is writable and has enough free space. */
export async function checkDisk(subject: string, directory: string): Promise<CheckResult> {
  const existing = await closestExistingDirectory(directory);
  try {
    await access(existing, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(existing);
    const free = `${((Number(bavail) * Number(bsize)) / 1024 ** 3).toFixed(1)} GiB free at ${directory}`;
    if (Number(bavail) * Number(bsize) >= MIN_FREE_BYTES) return pass(subject, free);
    return fail(subject, `${free}. Free disk space, or move the directory to a larger disk.`);
  } catch (error) {
    return fail(
      subject,
      `${existing} is not writable (${reasonOf(error)}). Give write permission to the user of the service.`,
    );
  }
}

/** The directory itself, or its closest existing parent. */
export async function closestExistingDirectory(directory: string): Promise<string> {
  const isThere = await access(directory).then(
    () => true,
    () => false,
  );
  return isThere || dirname(directory) === directory ? directory : closestExistingDirectory(dirname(directory));
}
