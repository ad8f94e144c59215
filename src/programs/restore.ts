import { backupParts } from '../backup-parts.ts';
import { backupReport, fileArgument } from '../backup-report.ts';
import type { Config } from '../config.ts';
import { connect, migrateDatabase } from '../database.ts';
import { openFiles } from '../file-storage.ts';
import { jobs } from '../jobs.ts';
import { makeLog } from '../make-log.ts';
import { BackupError, type Header } from '../platform/backup/format.ts';
import { verifyArchive } from '../platform/backup/read-archive.ts';
import { rejectOtherBackupVersion, restoreBackup } from '../platform/backup/restore-backup.ts';
import { openDataDir } from '../platform/data-dir/open-data-dir.ts';
import { makeSecretKey } from '../platform/data-dir/secret-key.ts';
import { startEmbeddedPostgres } from '../platform/database/embedded/start-embedded-postgres.ts';
import { openSession } from '../platform/database/session.ts';
import { recordSecretKey } from '../platform/secret-key/accept-keys.ts';
import type { KeysWithLocation } from '../platform/secret-key/compare-keys.ts';
import { readKeyRecord } from '../platform/secret-key/key-record.ts';
import { acceptFiles } from '../platform/storage/claim-files.ts';
import { runCommand } from '../run-command.ts';
import type { RegisterClose } from '../run-process.ts';
import { findKeys, keyLocation } from '../secret-keys.ts';

/**
 * `npm run restore -- FILE` restores into an empty database while the service is stopped. `--new-key` discards the old
 * secret key.
 */
async function restore(config: Config, opened: RegisterClose, signal: AbortSignal): Promise<undefined> {
  const path = fileArgument('restore');
  // Before anything is created, including an embedded server.
  const verified = await verifyArchive(path, signal);
  rejectOtherBackupVersion(verified.header, backupParts.migrations);
  const dataDir = await openDataDir(config.dataDir);
  opened(() => dataDir.close());
  const isNewKey = process.argv.includes('--new-key');
  const keys = await givenKeys(config, dataDir, isNewKey);
  const databaseUrl = config.databaseDirectUrl ?? config.databaseUrl ?? (await start(dataDir, opened));
  const { storage, close } = await openFiles(config);
  opened(close);
  await restoreBackup(path, verified, {
    databaseUrl,
    storage,
    secretKey: isNewKey ? undefined : keys.current,
    migrations: backupParts.migrations,
    connect: (url) => connect(url, { poolSize: 1, migratesWithin: true }),
    async finish(client) {
      const record = await readKeyRecord(client);
      if (record && isNewKey) await recordSecretKey(client, keys);
      if (record) await acceptFiles(config.storage, record.installation);
    },
    jobs,
    log: makeLog('error'),
    signal,
  });
  if (isNewKey && !hasRecord(verified.header)) await recordLater(databaseUrl, keys);
  process.stdout.write(backupReport('Restored', path, verified));
  if (isNewKey) process.stdout.write(`${LOST}\n`);
}

type DataDir = Awaited<ReturnType<typeof openDataDir>>;

const LOST =
  'Secrets that the former key encrypted can no longer be read, and are marked as unreadable until you replace them. `npm run doctor` counts them; docs/operation.md lists the kinds.';

const hasRecord = ({ tables }: Header) => tables.some(({ name }) => name === 'secret_key');

/** The record of the key needs a table that backups of earlier versions lack: the migrations make it. */
async function recordLater(databaseUrl: string, keys: KeysWithLocation): Promise<void> {
  await migrateDatabase(databaseUrl);
  const client = await openSession(databaseUrl);
  try {
    await recordSecretKey(client, keys);
  } finally {
    await client.end();
  }
}

async function givenKeys(config: Config, dataDir: DataDir, isNewKey: boolean): Promise<KeysWithLocation> {
  const keys = await findKeys(config);
  if (keys) return keys;
  if (isNewKey) return { current: await makeSecretKey(dataDir), location: keyLocation(config) };
  throw new BackupError(
    `The secret key is missing. Set SECRET_KEY to the key of the backed-up service, or put its file at ${keyLocation(config)}. With --new-key, data that was encrypted with the old key is lost.`,
  );
}

async function start(dataDir: DataDir, opened: RegisterClose): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: (message) => process.stderr.write(`${message}\n`) });
  opened(() => postgres.stop());
  return postgres.url;
}

await runCommand(restore);
