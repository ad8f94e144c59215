import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { openSession } from '../database/session.ts';
import { compareKeys, fingerprintOf, type KeyComparison, type KeysWithLocation, newSalt } from './compare-keys.ts';
import { SecretKeyError } from './errors.ts';
import { hasTable, type KeyRecord, readKeyRecord, writeKeyRecord } from './key-record.ts';
import { decryptSecret, type SecretKeys } from './secrets.ts';
import type { SecretColumn } from './stored-secret.ts';
import { secretsIn } from './walk-secrets.ts';

/** Key of the advisory lock of processes that start. Any number that nothing else uses. */
export const KEY_LOCK = 7_305_110_045;

/** Secrets of each column that a key is tried on before it is recorded. */
const MAX_TRIED_SECRETS = 10;

/**
 * Refuses keys that are not those of the database, with what to do. Needs no migrated database, and changes nothing.
 * Runs before the migrations, so that a database under another key stays as it is.
 */
export async function refuseOtherKeys(
  client: pg.ClientBase,
  keys: KeysWithLocation,
): Promise<KeyComparison['is'] | 'unknown'> {
  const record = await readKeyRecord(client);
  if (!record) return 'unknown';
  const standing = await compareKeys(record, keys);
  if (standing.is === 'refused') throw new SecretKeyError(standing.reason);
  return standing.is;
}

/** The same, and refuses keys that decrypt nothing in a database that has secrets, but no fingerprint yet. */
export async function checkKeys(
  client: pg.ClientBase,
  keys: KeysWithLocation,
  secrets: readonly SecretColumn[],
): Promise<KeyComparison['is'] | 'unknown'> {
  const standing = await refuseOtherKeys(client, keys);
  if (standing === 'unknown') await refuseUnlessReadable(client, keys, secrets);
  return standing;
}

/**
 * Accepts the keys of a process that starts. The first start records their fingerprint, if the key decrypts what the
 * database already has. A key with the recorded one as its `previous` begins to replace it. Returns the record.
 */
export async function acceptKeys(
  databaseUrl: string,
  keys: KeysWithLocation,
  secrets: readonly SecretColumn[],
): Promise<{ record: KeyRecord; isRotating: boolean }> {
  const client = await openSession(databaseUrl, { application_name: 'stemma keys' });
  try {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(${KEY_LOCK})`);
    const standing = await checkKeys(client, keys, secrets);
    if (standing === 'unknown') await recordSecretKey(client, keys);
    if (standing === 'begins') await recordSecretKey(client, keys, keys.previous);
    const record = await readKeyRecord(client);
    if (!record) throw new Error('acceptKeys() read no record of the secret key after writing it.');
    await client.query('commit');
    return { record, isRotating: record.previousFingerprint !== null };
  } finally {
    await client.end();
  }
}

/** Records the current key, and the one that it replaces. */
export async function recordSecretKey(
  client: pg.ClientBase,
  { current, location }: KeysWithLocation,
  previous?: string,
): Promise<void> {
  const salt = newSalt();
  await writeKeyRecord(client, {
    installation: randomUUID(),
    keptIn: location,
    salt,
    fingerprint: await fingerprintOf(current, salt),
    previousFingerprint: previous === undefined ? null : await fingerprintOf(previous, salt),
  });
}

async function refuseUnlessReadable(client: pg.ClientBase, keys: KeysWithLocation, secrets: readonly SecretColumn[]) {
  let unreadable = 0;
  for (const secret of secrets) {
    for (const isReadable of await triedOn(client, keys, secret)) {
      if (isReadable) return;
      unreadable++;
    }
  }
  if (unreadable === 0) return;
  throw new SecretKeyError(
    `The key in ${keys.location} is not the secret key of this database: it cannot decrypt any of the tested secrets. Restore the former key: as SECRET_KEY, or as the file secret-key in DATA_DIR. If it is lost, \`npm run rotate-key -- --key-lost\` gives up the secrets that it encrypted.`,
  );
}

async function triedOn(client: pg.ClientBase, keys: SecretKeys, secret: SecretColumn): Promise<boolean[]> {
  for await (const batch of secretsIn(client, secret, MAX_TRIED_SECRETS)) {
    return batch.map(({ key, stored }) => decryptSecret(keys, secret.place(key), stored) !== undefined);
  }
  return [];
}

/** Whether a database has secrets, or the fingerprint of a key, so that a new key would be another one. */
export async function expectsKey(databaseUrl: string, secrets: readonly SecretColumn[]): Promise<boolean> {
  const client = await openSession(databaseUrl, { application_name: 'stemma keys' });
  try {
    if (await readKeyRecord(client)) return true;
    for (const secret of secrets) {
      for await (const _ of secretsIn(client, secret, 1)) return true;
    }
    return false;
  } finally {
    await client.end();
  }
}

/** Whether a service has never started on a database. */
export const isNewDatabase = async (client: pg.ClientBase): Promise<boolean> =>
  !(await hasTable(client, 'organization'));
