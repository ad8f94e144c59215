import { randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renameDurably } from '../disk/rename-durably.ts';
import type { DataDir } from './open-data-dir.ts';

/** Name of the file with the secret key. */
export const KEY_FILE = 'secret-key';

/** Name of the file with the key that is being replaced. */
const PREVIOUS_FILE = 'secret-key-previous';

type Place = Pick<DataDir, 'path'>;

/** The secret key of a data directory. Undefined if it has none. A damaged file is an error. */
export const findSecretKey = ({ path }: Place): Promise<string | undefined> => keyIn(join(path, KEY_FILE));

/** The key that the secret key of a data directory replaces. */
export const findPreviousKey = ({ path }: Place): Promise<string | undefined> => keyIn(join(path, PREVIOUS_FILE));

/**
 * Makes the secret key of a data directory, 32 random bytes in hexadecimal, readable by its owner only. Must not be
 * called where there is one: what was encrypted with it would be lost.
 */
export async function makeSecretKey({ path }: Place): Promise<string> {
  const file = join(path, KEY_FILE);
  const key = randomBytes(32).toString('hex');
  const draft = await open(`${file}.new`, 'w', 0o600);
  await draft.writeFile(`${key}\n`);
  await draft.sync();
  await draft.close();
  await renameDurably(`${file}.new`, file);
  return key;
}

async function keyIn(file: string): Promise<string | undefined> {
  const key = (await readIfPresent(file))?.trim();
  if (key === undefined || /^[0-9a-f]{64}$/.test(key)) return key;
  throw new Error(
    `${file} does not contain 64 hexadecimal digits. Restore it from a copy of the key, or set SECRET_KEY to the key.`,
  );
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
