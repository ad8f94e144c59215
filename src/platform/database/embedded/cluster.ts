import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lchown, lstat, mkdtemp, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DataDir } from '../../data-dir/open-data-dir.ts';
import type { OsAccount } from './account.ts';
import type { Programs } from './programs.ts';
import { run } from './run.ts';

/** The files of a PostgreSQL server, and the password of its superuser `stemma`. */
export interface Cluster {
  readonly data: string;
  readonly password: string;
}

/** Name of the superuser and of the database. */
export const NAME = 'stemma';

/** The data directory of a server: the option `-D` of PostgreSQL's programs. */
export const clusterFiles = ({ path }: Pick<DataDir, 'path'>) => join(path, 'postgres', 'data');

/**
 * The cluster in `<dataDir>/postgres`. The first start creates it under a temporary name and renames it when it is
 * complete and on disk, so that an interrupted start does not leave a broken cluster. No server must be running on it.
 */
export async function prepareCluster(dataDir: DataDir, programs: Programs, account: OsAccount): Promise<Cluster> {
  const data = clusterFiles(dataDir);
  const home = dirname(data);
  await removeDrafts(dataDir);
  if (!existsSync(home)) await makeCluster(dataDir, home, programs, account);
  await checkVersion(data);
  if (account.uid !== undefined) await handOver(data, account.uid);
  const password = await readFile(join(home, 'password'), 'utf8').catch((cause: unknown) => {
    throw new Error(`The password file of the database, ${home}/password, cannot be read. Restore it.`, { cause });
  });
  return { data, password: password.trim() };
}

async function makeCluster(
  { path }: DataDir,
  home: string,
  { initdb, postgres, environment }: Programs,
  account: OsAccount,
) {
  const draft = await mkdtemp(join(path, DRAFT));
  const data = join(draft, 'data');
  const password = join(draft, 'password');
  await writeFile(password, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
  const init = [...account.prefix, initdb, '--pgdata', data];
  await run([...init, `--username=${NAME}`, `--pwfile=${password}`, ...INITDB_OPTIONS, '--no-sync'], environment);
  const createDatabase = `create database ${NAME}\n`;
  const single = [...account.prefix, postgres, '--single', '-D', data, '-c', 'exit_on_error=on', 'postgres'];
  await run(single, environment, createDatabase);
  await run([...init, '--sync-only'], environment);
  await rename(draft, home);
  const directory = await open(path);
  await directory.sync();
  await directory.close();
}

/** The builtin collation sorts identically on all systems and after upgrades of their libraries. */
const INITDB_OPTIONS = [
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--no-instructions',
];

const DRAFT = 'postgres.new-';

/** The initdb of a killed start may still be writing. What cannot be removed now is removed at the next start. */
async function removeDrafts({ path }: DataDir): Promise<void> {
  const drafts = (await readdir(path)).filter((name) => name.startsWith(DRAFT));
  await Promise.allSettled(drafts.map((name) => rm(join(path, name), { recursive: true, force: true })));
}

const MAJOR = '18';

async function checkVersion(data: string): Promise<void> {
  const version = await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => null);
  if (version?.trim() === MAJOR) return;
  throw new Error(
    version === null
      ? `${data} is not a PostgreSQL cluster (no PG_VERSION). Restore it from a backup, or remove ${data} and its password to start empty.`
      : `${data} was made by PostgreSQL ${version.trim()}, and this one is ${MAJOR}. Dump it with that version and load it here (pg_dump, psql).`,
  );
}

/**
 * Changes the owner if root starts the server in another way than before (see `serverAccount`), since PostgreSQL
 * requires it.
 */
async function handOver(data: string, uid: number): Promise<void> {
  if ((await lstat(data)).uid === uid) return;
  const names = await readdir(data, { recursive: true });
  // The directory itself comes last: its owner marks the change as complete.
  for (const name of [...names, '']) await lchown(join(data, name), uid, uid);
}
