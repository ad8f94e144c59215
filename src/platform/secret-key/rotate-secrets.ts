import pg from 'pg';
import { KEY_LOCK, recordSecretKey, refuseOtherKeys } from './accept-keys.ts';
import type { KeysWithLocation } from './compare-keys.ts';
import { SecretKeyError } from './errors.ts';
import { encryptSecret } from './secrets.ts';
import type { SecretColumn } from './stored-secret.ts';
import { countSecrets, type FoundSecret, keyOfSecret, type SecretCounts, secretsIn } from './walk-secrets.ts';

/** Secrets of one statement. Each commits by itself, so that a process that is killed loses nothing. */
const SECRETS_PER_STATEMENT = 200;

/** Number of times that all secrets are read, in case processes still write with the former key. */
const MAX_PASSES = 5;

/** Secrets of a column after a rotation. */
export interface Rotated extends SecretCounts {
  plural: string;
  /** Secrets that this run re-encrypted. */
  renewed: number;
}

/**
 * Encrypts all secrets with the current key that the previous one still encrypts, while the service runs. Can be killed
 * at any time and run again. Ends the replacement of the key when none is left.
 */
export async function rotateSecrets(
  client: pg.ClientBase,
  keys: KeysWithLocation,
  secrets: readonly SecretColumn[],
): Promise<Rotated[]> {
  const standing = await refuseOtherKeys(client, keys);
  if (standing === 'unknown')
    throw new SecretKeyError('The service has never been started with this database. Start it once.');
  if (standing === 'begins') await begin(client, keys);
  const renewed = new Map(secrets.map((secret) => [secret, 0]));
  for (let pass = 1; pass <= MAX_PASSES; pass++) {
    let changed = 0;
    for (const secret of secrets) {
      const count = await renewColumn(client, keys, secret);
      renewed.set(secret, (renewed.get(secret) ?? 0) + count);
      changed += count;
    }
    if (changed === 0) break;
  }
  const rotated = await countAll(client, keys, secrets, renewed);
  if (rotated.every(({ previous }) => previous === 0)) await end(client, keys);
  return rotated;
}

async function countAll(
  client: pg.ClientBase,
  keys: KeysWithLocation,
  secrets: readonly SecretColumn[],
  renewed: ReadonlyMap<SecretColumn, number>,
): Promise<Rotated[]> {
  const counted: Rotated[] = [];
  for (const secret of secrets) {
    const counts = await countSecrets(client, keys, secret);
    counted.push({ plural: secret.plural, renewed: renewed.get(secret) ?? 0, ...counts });
  }
  return counted;
}

/** Gives up what a lost key encrypted: the current key becomes the one of the database. The service must be stopped. */
export async function discardLostKey(
  client: pg.ClientBase,
  keys: KeysWithLocation,
  secrets: readonly SecretColumn[],
): Promise<Rotated[]> {
  await refuseWhileRunning(client, 'Stop all processes of the service first, because they use another key.');
  await inTransaction(client, () => recordSecretKey(client, keys));
  return countAll(client, { ...keys, previous: undefined }, secrets, new Map());
}

/** Without running processes, nothing else would begin the replacement. */
async function begin(client: pg.ClientBase, keys: KeysWithLocation): Promise<void> {
  await refuseWhileRunning(
    client,
    'The service runs with only the former key. Restart all processes with both keys, one after the other, and then run this again.',
  );
  await inTransaction(client, () => recordSecretKey(client, keys, keys.previous));
}

async function refuseWhileRunning(client: pg.ClientBase, reason: string): Promise<void> {
  const { rows } = await client.query(
    `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and application_name in ('stemma', 'stemma jobs', 'stemma events') limit 1`,
  );
  if (rows.length > 0) throw new SecretKeyError(reason);
}

const end = (client: pg.ClientBase, keys: KeysWithLocation): Promise<void> =>
  inTransaction(client, async () => {
    // Another replacement may have begun.
    const standing = await refuseOtherKeys(client, keys);
    if (standing === 'rotating') await client.query('update secret_key set previous_fingerprint = null');
  });

async function inTransaction(client: pg.ClientBase, act: () => Promise<void>): Promise<void> {
  await client.query('begin');
  await client.query(`select pg_advisory_xact_lock(${KEY_LOCK})`);
  try {
    await act();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Encrypts the secrets of a column again, and returns how many. */
async function renewColumn(client: pg.ClientBase, keys: KeysWithLocation, secret: SecretColumn): Promise<number> {
  let count = 0;
  for await (const batch of secretsIn(client, secret, SECRETS_PER_STATEMENT)) {
    const renewed = batch.flatMap((row) => {
      const place = secret.place(row.key);
      const by = keyOfSecret(keys, place, row.stored);
      return by.by === 'previous' ? [{ ...row, renewed: encryptSecret(keys, place, by.secret) }] : [];
    });
    if (renewed.length > 0) count += await replace(client, secret, renewed);
  }
  return count;
}

/** Replaces secrets, except those that the service has changed since they were read. */
async function replace(
  client: pg.ClientBase,
  { table, column, key }: SecretColumn,
  rows: readonly (FoundSecret & { renewed: Buffer })[],
): Promise<number> {
  const names = Object.entries(key);
  const [target, secret] = [pg.escapeIdentifier(table), pg.escapeIdentifier(column)];
  const parameters = names.map((_, index) => `$${index + 3}::text[]`);
  const isSame = names.map(([, name], index) => `t.${pg.escapeIdentifier(name)}::text = v.k${index}`);
  const { rowCount } = await client.query(
    `update ${target} t set ${secret} = v.renewed
     from unnest($1::bytea[], $2::bytea[], ${parameters.join(', ')}) as v(stored, renewed, ${names.map((_, index) => `k${index}`).join(', ')})
     where ${isSame.join(' and ')} and t.${secret} = v.stored`,
    [
      rows.map(({ stored }) => stored),
      rows.map(({ renewed }) => renewed),
      ...names.map(([name]) => rows.map((row) => row.key[name])),
    ],
  );
  return rowCount ?? 0;
}
