import { existsSync } from 'node:fs';
import { backupParts } from '../backup-parts.ts';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { tableNames } from '../entities.ts';
import { signedFilesOf, storageOptions } from '../file-storage.ts';
import { clusterFiles } from '../platform/database/embedded/cluster.ts';
import { findRunningServer } from '../platform/database/embedded/postmaster.ts';
import { EXTENSIONS } from '../platform/database/session.ts';
import { checkAddress } from '../platform/doctor/check-address.ts';
import { checkDatabase } from '../platform/doctor/check-database.ts';
import { checkDisk } from '../platform/doctor/check-disk.ts';
import { checkGit } from '../platform/doctor/check-git.ts';
import { checkReplica } from '../platform/doctor/check-replica.ts';
import { type CheckResult, checkLine, fail, pass, reasonOf } from '../platform/doctor/check-result.ts';
import { checkSecretKey } from '../platform/doctor/check-secret-key.ts';
import { checkSignedFiles } from '../platform/doctor/check-signed-files.ts';
import { checkStorage } from '../platform/doctor/check-storage.ts';
import { attachStorage } from '../platform/storage/open-storage.ts';
import { findKeys, keyLocation } from '../secret-keys.ts';
import { storedSecrets } from '../stored-secrets.ts';

/**
 * `npm run doctor`: checks the configuration and environment of the service, with one line per check. Exits with 1 if a
 * check fails. Nothing is created, started or migrated. What it writes to the database is rolled back.
 */
async function examine(): Promise<CheckResult[]> {
  const config = configuration();
  if (Array.isArray(config)) return config;
  const { storage, dataDir } = config;
  // First, since other checks set what they need in sessions, which a pooler may share.
  const databaseResults = await database(config);
  return [
    pass('Node', `${process.versions.node} (${process.execPath})`),
    pass('configuration', config.isProduction ? 'valid, for production' : 'valid, for development'),
    ...(await secretKey(config)),
    publicUrl(config),
    await checkAddress(config),
    ...databaseResults,
    ...(await replicas(config)),
    await checkStorage(storage, () => attachStorage(storage, storageOptions(config))),
    ...(config.signsFiles ? [await downloads(config)] : []),
    await checkGit(config.gitProgram),
    await checkDisk('data directory', dataDir),
    ...(storage.kind === 'directory' && !`${storage.path}/`.startsWith(`${dataDir}/`)
      ? [await checkDisk('files', storage.path)]
      : []),
  ];
}

function configuration(): Config | CheckResult[] {
  try {
    if (existsSync('.env')) process.loadEnvFile('.env');
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const [first = '', ...more] = error.message.split('\n');
    return (more.length > 0 ? more : [first]).map((line) => fail('configuration', line.trim()));
  }
}

async function secretKey(config: Config): Promise<CheckResult[]> {
  const file = keyLocation(config);
  try {
    const keys = await findKeys(config);
    const url = config.databaseUrl ?? (await findRunningServer(config.dataDir));
    if (url !== undefined)
      return await checkSecretKey(url, { keys, file, secrets: storedSecrets, files: config.storage });
    const hasDatabase = existsSync(clusterFiles({ path: config.dataDir }));
    if (keys && !hasDatabase && config.secretKey === undefined) {
      return [
        fail(
          'secret key',
          `${file} has a secret key, but there is no database. Restore the database, or move the key away.`,
        ),
      ];
    }
    if (!keys && hasDatabase) {
      return [fail('secret key', `The database exists, but ${file} does not. Restore the file, or set SECRET_KEY.`)];
    }
    if (!keys) return [pass('secret key', `not created yet; the first start creates it in ${file}`)];
    return [
      pass('secret key', `in ${file}; keep a copy of it. It is compared with the database while the service runs`),
    ];
  } catch (error) {
    return [fail('secret key', reasonOf(error))];
  }
}

async function downloads(config: Config): Promise<CheckResult> {
  const opened = await attachStorage(config.storage, storageOptions(config));
  try {
    const files = await signedFilesOf(config, opened);
    return files ? await checkSignedFiles(files, opened.storage, config) : pass('downloads', 'through the service');
  } catch (error) {
    return fail('downloads', reasonOf(error));
  } finally {
    opened.close();
  }
}

function publicUrl({ publicUrl: address, isProduction }: Config): CheckResult {
  const { protocol, hostname } = new URL(address);
  if (!isProduction) return pass('public URL', address);
  if (['localhost', '127.0.0.1', '[::1]'].includes(hostname)) {
    return fail(
      'public URL',
      `${address} points clients to their own machine. Set PUBLIC_URL to the address that they use.`,
    );
  }
  if (protocol === 'https:') return pass('public URL', address);
  return fail(
    'public URL',
    `${address} sends tokens unencrypted. Put a proxy with TLS in front, and set it in PUBLIC_URL.`,
  );
}

async function database({ databaseUrl, databaseDirectUrl: directUrl, dataDir }: Config): Promise<CheckResult[]> {
  const url = databaseUrl ?? (await findRunningServer(dataDir));
  const needs = { migrations: backupParts.migrations, extensions: EXTENSIONS, tables: tableNames };
  if (url !== undefined) return checkDatabase(url, { ...needs, directUrl });
  const isMade = existsSync(clusterFiles({ path: dataDir }));
  return [
    pass(
      'database',
      isMade
        ? `embedded in ${dataDir}, and not running; start the service to check it`
        : `embedded; the first start creates it in ${dataDir}`,
    ),
  ];
}

function replicas(config: Config): Promise<CheckResult[]> {
  const { databaseUrl = '', databaseDirectUrl: primaryUrl = databaseUrl, databaseReplicas: urls } = config;
  return Promise.all(urls.map((url) => checkReplica(url, { primaryUrl, lagMs: config.replicaLagMs })));
}

const findings = await examine();
process.stdout.write(`${findings.map(checkLine).join('\n')}\n`);
process.exitCode = findings.every(({ isPassed }) => isPassed) ? 0 : 1;
