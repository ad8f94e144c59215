import { join } from 'node:path';
import { backupParts, fileArgument, report } from '../backup-parts.ts';
import type { Config } from '../config.ts';
import { connect } from '../database.ts';
import { jobs } from '../jobs.ts';
import { makeLog } from '../make-log.ts';
import { BackupError } from '../platform/backup/backup-error.ts';
import { verifyArchive } from '../platform/backup/read-archive.ts';
import { rejectOtherVersion, restoreBackup } from '../platform/backup/restore-backup.ts';
import { openDataDir } from '../platform/data-dir/open-data-dir.ts';
import { findSecretKey } from '../platform/data-dir/secret-key.ts';
import { startEmbeddedPostgres } from '../platform/database/embedded.ts';
import { openStorage } from '../platform/storage/open-storage.ts';
import { runCommand } from '../run-command.ts';
import type { Opened } from '../run-process.ts';

/** `npm run restore -- FILE` restores into an empty database while the service is stopped. `--new-key` discards the old secret key. */
async function restore(config: Config, opened: Opened, signal: AbortSignal): Promise<undefined> {
  const path = fileArgument('restore');
  // Before anything is created, including an embedded server.
  const verified = await verifyArchive(path);
  rejectOtherVersion(verified.header, backupParts.migrations);
  const dataDir = await openDataDir(config.dataDir);
  opened(() => dataDir.close());
  const secretKey = process.argv.includes('--new-key') ? undefined : await givenKey(config, dataDir);
  const databaseUrl = config.databaseUrl ?? (await start(dataDir, opened));
  const { storage, close } = await openStorage(config.storage, join(config.dataDir, 'temporary'));
  opened(close);
  await restoreBackup(path, verified, {
    databaseUrl,
    storage,
    secretKey,
    migrations: backupParts.migrations,
    connect: (url) => connect(url, { poolSize: 1, migratesWithin: true }),
    jobs,
    log: makeLog('error'),
    signal,
  });
  process.stdout.write(report('Restored', path, verified));
}

type DataDir = Awaited<ReturnType<typeof openDataDir>>;

async function givenKey({ secretKey }: Config, dataDir: DataDir): Promise<string> {
  const key = secretKey ?? (await findSecretKey(dataDir));
  if (key !== undefined) return key;
  throw new BackupError(
    `There is no secret key. Set SECRET_KEY to the key of the backed-up service, or put its file at ${join(dataDir.path, 'secret-key')}. With --new-key, data that was encrypted with the old key is lost.`,
  );
}

async function start(dataDir: DataDir, opened: Opened): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: (message) => process.stderr.write(`${message}\n`) });
  opened(() => postgres.stop());
  return postgres.url;
}

await runCommand(restore);
