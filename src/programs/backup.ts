import { backupParts } from '../backup-parts.ts';
import { backupReport, fileArgument } from '../backup-report.ts';
import { databaseBeside } from '../beside-service.ts';
import type { Config } from '../config.ts';
import { openFiles } from '../file-storage.ts';
import { makeBackup } from '../platform/backup/make-backup.ts';
import { openSession } from '../platform/database/session.ts';
import { checkKeys } from '../platform/secret-key/accept-keys.ts';
import type { KeysWithLocation } from '../platform/secret-key/compare-keys.ts';
import { runCommand } from '../run-command.ts';
import type { RegisterClose } from '../run-process.ts';
import { requireKeys } from '../secret-keys.ts';
import { storedSecrets } from '../stored-secrets.ts';

/** `npm run backup -- FILE`, whether or not the service is running. */
async function backup(config: Config, opened: RegisterClose, signal: AbortSignal): Promise<undefined> {
  const path = fileArgument('backup');
  const databaseUrl = await databaseBeside(config, opened);
  const keys = await requireKeys(config);
  const isRotating = (await check(databaseUrl, keys)) !== 'settled';
  const { storage, close } = await openFiles(config);
  opened(close);
  const summary = await makeBackup(path, { ...backupParts, databaseUrl, storage, secretKey: keys.current, signal });
  process.stdout.write(backupReport('Backed up to', path, summary));
  process.stdout.write(
    `The backup does not contain the secret key. Keep a copy of ${keys.location} in another place.\n`,
  );
  if (isRotating && keys.previous !== undefined) process.stdout.write(`${ROTATING}\n`);
}

const ROTATING =
  'The secret key is being replaced, so this backup also needs the former key. Keep both, or make another backup after `npm run rotate-key`.';

/** A backup under a key that does not decrypt it would be found useless when it is needed. */
async function check(databaseUrl: string, keys: KeysWithLocation) {
  const client = await openSession(databaseUrl, { application_name: 'stemma backup' });
  try {
    const standing = await checkKeys(client, keys, storedSecrets);
    return standing === 'unknown' ? 'settled' : standing;
  } finally {
    await client.end();
  }
}

await runCommand(backup);
