import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';
import { migrateDatabase } from './database.ts';
import { setRoleDefaults } from './platform/database/role-defaults.ts';
import { openSession } from './platform/database/session.ts';
import { acceptKeys, isNewDatabase, refuseOtherKeys } from './platform/secret-key/accept-keys.ts';
import type { KeysWithLocation } from './platform/secret-key/compare-keys.ts';
import { SecretKeyError } from './platform/secret-key/errors.ts';
import { acceptFiles, ownerOfFiles, refusalOfFiles } from './platform/storage/claim-files.ts';
import { storedSecrets } from './stored-secrets.ts';

interface PrepareOptions {
  config: Config;
  sharedUrl: string | undefined;
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  runsLate: boolean | undefined;
}

/**
 * Migrates a database for a process that starts with it. Refuses a key or files of another installation, before
 * anything is changed. Migrations that the former version cannot run with are applied as `runsLate` says (`migrate`).
 * Where `sharedUrl` leads to a pooler that shares sessions, their settings become defaults of the role. Returns whether
 * the secret key is being replaced.
 */
export async function prepareDatabase(
  databaseUrl: string,
  keys: KeysWithLocation,
  { config, sharedUrl, log, runsLate }: PrepareOptions,
): Promise<boolean> {
  await refuseOthers(databaseUrl, keys, config);
  if (sharedUrl !== undefined) await setRoleDefaults(databaseUrl, sharedUrl);
  await migrateDatabase(databaseUrl, { log, runsLate });
  // Migrations create extensions, whose schemas belong to the search path.
  if (sharedUrl !== undefined) await setRoleDefaults(databaseUrl, sharedUrl);
  const { record, isRotating } = await acceptKeys(databaseUrl, keys, storedSecrets);
  await acceptFiles(config.storage, record.installation);
  return isRotating;
}

async function refuseOthers(databaseUrl: string, keys: KeysWithLocation, { storage }: Config): Promise<void> {
  const client = await openSession(databaseUrl, { application_name: 'stemma keys' });
  try {
    await refuseOtherKeys(client, keys);
    if (!(await isNewDatabase(client))) return;
    const reason = refusalOfFiles(storage, { owner: await ownerOfFiles(storage), installation: undefined });
    if (reason !== undefined) throw new SecretKeyError(reason);
  } finally {
    await client.end();
  }
}
