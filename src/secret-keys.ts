import { join } from 'node:path';
import type { Config } from './config.ts';
import { findPreviousKey, findSecretKey, KEY_FILE, makeSecretKey } from './platform/data-dir/secret-key.ts';
import { expectsKey } from './platform/secret-key/accept-keys.ts';
import type { KeysWithLocation } from './platform/secret-key/compare-keys.ts';
import { SecretKeyError } from './platform/secret-key/errors.ts';
import { storedSecrets } from './stored-secrets.ts';

/** Where the secret key of a configuration is, for messages. */
export const keyLocation = ({ secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>): string =>
  secretKey === undefined ? join(dataDir, KEY_FILE) : 'SECRET_KEY';

/** The keys of the settings, or of the files in the data directory. Undefined if there is no current key yet. */
export async function findKeys(config: Config): Promise<KeysWithLocation | undefined> {
  const { secretKey, dataDir: path } = config;
  const current = secretKey ?? (await findSecretKey({ path }));
  return current === undefined
    ? undefined
    : { current, previous: await previousOf(config), location: keyLocation(config) };
}

/** The same. Throws an error that says where the key has to be. */
export async function requireKeys(config: Config): Promise<KeysWithLocation> {
  const keys = await findKeys(config);
  if (keys) return keys;
  throw new SecretKeyError(
    `The secret key is missing. Set SECRET_KEY, or restore the file ${keyLocation(config)}. The first start of the service creates it.`,
  );
}

/**
 * The same for a service that starts. A key is made for a new database, and where the former key was moved to the file
 * of the previous one. For a database that has secrets already, it would be another key, so that one is not made.
 */
export async function findOrCreateKeys(config: Config, databaseUrl: string): Promise<KeysWithLocation> {
  const keys = await findKeys(config);
  if (keys) return keys;
  const previous = await previousOf(config);
  if (previous === undefined && (await expectsKey(databaseUrl, storedSecrets))) {
    throw new SecretKeyError(
      `The secret key is missing: the database has encrypted secrets, but the file ${keyLocation(config)} does not exist. Restore that file, or set SECRET_KEY to the key of this database. If it is lost, \`npm run rotate-key -- --key-lost\` creates a new key and gives up the secrets that the former one encrypted.`,
    );
  }
  return { current: await makeSecretKey({ path: config.dataDir }), previous, location: keyLocation(config) };
}

/** The key that is being replaced. Its file belongs to the file of the key, not to SECRET_KEY. */
async function previousOf({ secretKey, secretKeyPrevious, dataDir: path }: Config): Promise<string | undefined> {
  if (secretKeyPrevious !== undefined || secretKey !== undefined) return secretKeyPrevious;
  return findPreviousKey({ path });
}
