import type pg from 'pg';
import { openSession } from '../database/session.ts';
import { compareKeys, type KeysWithLocation } from '../secret-key/compare-keys.ts';
import { type KeyRecord, readKeyRecord } from '../secret-key/key-record.ts';
import type { SecretColumn } from '../secret-key/stored-secret.ts';
import { countSecrets } from '../secret-key/walk-secrets.ts';
import { ownerOfFiles, refusalOfFiles } from '../storage/claim-files.ts';
import type { StorageLocation } from '../storage/storage-location.ts';
import { type CheckResult, fail, pass } from './check-result.ts';

interface Given {
  keys: KeysWithLocation | undefined;
  /** Where the first start would make a key. */
  file: string;
  secrets: readonly SecretColumn[];
  files: StorageLocation;
}

/** Compares the secret key and the stored files with the database at a URL, and reads all secrets with the key. */
export async function checkSecretKey(url: string, { keys, file, secrets, files }: Given): Promise<CheckResult[]> {
  const client = await openSession(url, { application_name: 'stemma doctor' }).catch(() => undefined);
  if (!client) return [keys ? pass('secret key', `in ${keys.location}; keep a copy of it`) : missing(file)];
  try {
    const record = await readKeyRecord(client);
    const counted = keys ? await readable(client, keys, secrets) : undefined;
    return [
      await standing(record, keys, file),
      ...(counted ? [counted] : []),
      ...(record ? await owner(files, record) : []),
    ];
  } finally {
    await client.end();
  }
}

const missing = (file: string) => pass('secret key', `not created yet; the first start creates it in ${file}`);

async function standing(
  record: KeyRecord | undefined,
  keys: KeysWithLocation | undefined,
  file: string,
): Promise<CheckResult> {
  if (!record && !keys) return missing(file);
  if (!keys) {
    return fail('secret key', `The key of this database is missing. Restore ${file}, or set SECRET_KEY.`);
  }
  const location = `in ${keys.location}; keep a copy of it`;
  if (!record) return pass('secret key', `${location}. The next start of the service records its fingerprint`);
  const comparison = await compareKeys(record, keys);
  if (comparison.is === 'refused') return fail('secret key', comparison.reason);
  if (comparison.is === 'settled') return pass('secret key', `${location}. It matches the database`);
  return fail(
    'secret key',
    `The key in ${keys.location} is replacing another one. When all processes have started with both, run \`npm run rotate-key\`.`,
  );
}

async function readable(
  client: pg.Client,
  keys: KeysWithLocation,
  secrets: readonly SecretColumn[],
): Promise<CheckResult> {
  let total = 0;
  const lost: string[] = [];
  for (const secret of secrets) {
    const { current, previous, unreadable } = await countSecrets(client, keys, secret);
    total += current + previous + unreadable;
    if (unreadable > 0) lost.push(`${unreadable} ${secret.plural}`);
  }
  if (lost.length === 0) return pass('stored secrets', `${total}, and the secret key reads all of them`);
  return fail(
    'stored secrets',
    `The secret key cannot read ${lost.join(', ')}, of ${total} secrets. They are marked as unreadable. Replace them, see docs/operation.md.`,
  );
}

async function owner(files: StorageLocation, { installation }: KeyRecord): Promise<CheckResult[]> {
  const reason = refusalOfFiles(files, { owner: await ownerOfFiles(files), installation });
  return reason === undefined ? [] : [fail('stored files', reason)];
}
