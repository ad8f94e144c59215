import { join } from 'node:path';
import { backupParts, fileArgument, report } from '../backup-parts.ts';
import { databaseBeside } from '../beside-service.ts';
import type { Config } from '../config.ts';
import { makeBackup } from '../platform/backup/make-backup.ts';
import { findSecretKey } from '../platform/data-dir/secret-key.ts';
import { openStorage } from '../platform/storage/open-storage.ts';
import { runCommand } from '../run-command.ts';
import type { Opened } from '../run-process.ts';

/** `npm run backup -- FILE`, whether or not the service is running. */
async function backup(config: Config, opened: Opened, signal: AbortSignal): Promise<undefined> {
  const path = fileArgument('backup');
  const databaseUrl = await databaseBeside(config, opened);
  const key = config.secretKey ?? (await findSecretKey({ path: config.dataDir })) ?? '';
  const { storage, close } = await openStorage(config.storage, join(config.dataDir, 'temporary'));
  opened(close);
  const made = await makeBackup(path, { ...backupParts, databaseUrl, storage, secretKey: key, signal });
  const place = config.secretKey === undefined ? join(config.dataDir, 'secret-key') : 'SECRET_KEY';
  process.stdout.write(report('Backed up to', path, made));
  process.stdout.write(`The backup does not contain the secret key. Keep a copy of ${place} in another place.\n`);
}

await runCommand(backup);
