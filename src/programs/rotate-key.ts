import type { Config } from '../config.ts';
import { migrateDatabase } from '../database.ts';
import { openDataDir } from '../platform/data-dir/open-data-dir.ts';
import { makeSecretKey } from '../platform/data-dir/secret-key.ts';
import { findRunningServer } from '../platform/database/embedded/postmaster.ts';
import { startEmbeddedPostgres } from '../platform/database/embedded/start-embedded-postgres.ts';
import { openSession } from '../platform/database/session.ts';
import type { KeysWithLocation } from '../platform/secret-key/compare-keys.ts';
import { discardLostKey, type Rotated, rotateSecrets } from '../platform/secret-key/rotate-secrets.ts';
import { runCommand } from '../run-command.ts';
import type { RegisterClose } from '../run-process.ts';
import { findKeys, keyLocation, requireKeys } from '../secret-keys.ts';
import { storedSecrets } from '../stored-secrets.ts';

/**
 * `npm run rotate-key` encrypts all secrets with SECRET_KEY that SECRET_KEY_PREVIOUS still encrypts, while the service
 * runs. `--key-lost` gives up what another key encrypted, while the service is stopped.
 */
async function rotateKey(config: Config, opened: RegisterClose): Promise<boolean> {
  const isLost = process.argv.includes('--key-lost');
  const keys = isLost ? await keysAfterLoss(config) : await requireKeys(config);
  const configured = config.databaseDirectUrl ?? config.databaseUrl;
  const databaseUrl = configured ?? (await findRunningServer(config.dataDir)) ?? (await start(config, opened));
  // The database of an earlier version, whose key was lost, has no table for the fingerprint.
  if (isLost) await migrateDatabase(databaseUrl);
  const client = await openSession(databaseUrl, { application_name: 'stemma rotate-key' });
  opened(() => client.end());
  const rotated = await (isLost ? discardLostKey : rotateSecrets)(client, keys, storedSecrets);
  process.stdout.write(`${rotated.map(lineOf).join('\n')}\n${summaryOf(rotated, isLost)}\n`);
  return rotated.every(({ previous }) => previous === 0);
}

async function keysAfterLoss(config: Config): Promise<KeysWithLocation> {
  const keys = await findKeys(config);
  return keys ?? { current: await makeSecretKey({ path: config.dataDir }), location: keyLocation(config) };
}

const lineOf = ({ plural, renewed, current, previous, unreadable }: Rotated) =>
  `  ${plural}: ${renewed} re-encrypted, ${current} readable with the key${previous > 0 ? `, ${previous} with the former key` : ''}${unreadable > 0 ? `, ${unreadable} unreadable` : ''}`;

function summaryOf(rotated: readonly Rotated[], isLost: boolean): string {
  const sum = (name: 'previous' | 'unreadable') => rotated.reduce((total, secret) => total + secret[name], 0);
  if (sum('previous') > 0)
    return 'A process still writes with the former key. Start it with both keys, and run this again.';
  const lost = sum('unreadable');
  const rest = lost === 0 ? '' : ` It cannot read ${lost} secrets: replace them, see docs/operation.md.`;
  if (isLost) return `The key is now the one of the database.${rest}`;
  return `The key encrypts everything. SECRET_KEY_PREVIOUS, or the file secret-key-previous, is no longer needed to read secrets.${rest}\nKeep the former key as long as backups that were made with it.`;
}

async function start({ dataDir: directory }: Config, opened: RegisterClose): Promise<string> {
  const dataDir = await openDataDir(directory);
  opened(() => dataDir.close());
  const postgres = await startEmbeddedPostgres({ dataDir, log: (message) => process.stderr.write(`${message}\n`) });
  opened(() => postgres.stop());
  return postgres.url;
}

await runCommand(rotateKey);
