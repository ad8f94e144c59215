import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataDir } from './open-data-dir.ts';

/**
 * The secret of this installation, 32 random bytes in hexadecimal: made at the first call, the same ever after, and
 * readable by its owner only. A damaged file is an error, never replaced: what was encrypted with it would be lost.
 */
export async function secretKey(dataDir: Pick<DataDir, 'path'>): Promise<string> {
  const file = fileIn(dataDir);
  return checked(file, (await readIfPresent(file))?.trim() ?? (await makeKey(file)));
}

/** The same where there is one already. */
export async function findSecretKey(dataDir: Pick<DataDir, 'path'>): Promise<string | undefined> {
  const file = fileIn(dataDir);
  const key = await readIfPresent(file);
  return key === undefined ? undefined : checked(file, key.trim());
}

const fileIn = ({ path }: Pick<DataDir, 'path'>) => join(path, 'secret-key');

function checked(file: string, key: string): string {
  if (/^[0-9a-f]{64}$/.test(key)) return key;
  throw new Error(
    `${file} does not hold 64 hexadecimal digits. Restore it from a backup, set SECRET_KEY, or remove it to get a new one: stored credentials then become unreadable and sessions end.`,
  );
}

async function makeKey(file: string): Promise<string> {
  const key = randomBytes(32).toString('hex');
  const draft = await open(`${file}.new`, 'w', 0o600);
  await draft.writeFile(`${key}\n`);
  await draft.sync();
  await draft.close();
  await rename(`${file}.new`, file);
  return key;
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
