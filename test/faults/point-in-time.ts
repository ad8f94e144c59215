import { createHash, randomBytes } from 'node:crypto';
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type OsAccount, serverAccount } from '../../src/platform/database/embedded/account.ts';
import type { Programs } from '../../src/platform/database/embedded/programs.ts';
import { run } from '../../src/platform/database/embedded/run.ts';
import { launchServer, type Server } from '../../src/platform/database/embedded/server.ts';
import { startService } from '../bench/processes.ts';
import { administer } from '../database.ts';
import { findInstalledPostgres, SUPPORTED } from '../installed-postgres.ts';
import { startS3 } from '../platform/s3-service.ts';
import { type Seen, send, write } from './callers.ts';

/*
 * Recovery to a point in time, as docs/operation.md describes it: an installed PostgreSQL archives its log and is backed up
 * while callers write; after a moment that is noted, a space is deleted by mistake. The database is recovered to that moment,
 * with the same bucket. What was acknowledged before is there once, with its files, what came after is not, and writing works.
 *
 *   node test/faults/point-in-time.ts
 */

const TOKEN = 'stemma_the_token_of_the_fault_tests';
const WRITERS = 4;

const programs = SUPPORTED.map(findInstalledPostgres).find((directory) => directory !== undefined);
if (programs !== undefined) await recover(programs);
else
  console.info('Skipped: recovery to a point in time, because no PostgreSQL is installed here (Debian: postgresql).');

async function recover(directory: string): Promise<void> {
  process.env.AWS_ACCESS_KEY_ID = 'S3RVER';
  process.env.AWS_SECRET_ACCESS_KEY = 'S3RVER';
  const home = await mkdtemp(join(tmpdir(), 'stemma-point-in-time-'));
  const closers: (() => unknown)[] = [];
  try {
    const postgres = await installation(directory, home);
    const bucket = await startS3();
    closers.push(() => bucket.close());
    const environment = {
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      BOOTSTRAP_TOKEN: TOKEN,
      STORAGE_URL: `s3://blobs/files?region=us-east-1&endpoint=${bucket.url}`,
    };
    const serve = (server: Server, dataDir: string) =>
      startService({ databaseUrl: urlOf(server), dataDir: join(home, dataDir), environment });

    await postgres.initialize('data');
    const first = await postgres.launch('data');
    closers.push(() => first.stop());
    const service = await serve(first, 'first');
    closers.push(() => service.stop());
    const organizationId = (await must(service.url, '/v1/orgs')).items[0]?.id ?? '';
    const { id: spaceId } = await must(service.url, `/v1/orgs/${organizationId}/spaces`, { title: 'Kept' });
    const files = [await addFile(service.url, spaceId, 'before the backup')];

    const before: Seen = { statuses: {}, acknowledged: new Set(), longestMs: 0 };
    const isPast = new AbortController();
    const target = { url: service.url, token: TOKEN, spaceId, signal: isPast.signal };
    const writers = Array.from({ length: WRITERS }, (_, index) => write(target, `before ${index}`, before));
    await postgres.backUp(first, 'base');
    files.push(await addFile(service.url, spaceId, 'after the backup'));
    await sleep(1_000);
    isPast.abort();
    await Promise.all(writers);
    // Transactions that are committed by now are before this moment.
    const [moment] = await administer(urlOf(first), `select clock_timestamp()::text as moment`);
    await sleep(200);

    await must(service.url, `/v1/spaces/${spaceId}/change-requests`, { subject: 'after 1' });
    const lost = await addFile(service.url, spaceId, 'after the moment');
    await must(service.url, `/v1/spaces/${spaceId}`, undefined, 'DELETE');
    await administer(urlOf(first), 'select pg_switch_wal()');
    await service.stop();
    await first.stop();

    const begun = performance.now();
    await postgres.restore('base', 'recovered', String(moment?.moment));
    const second = await postgres.launch('recovered');
    closers.push(() => second.stop());
    const again = await serve(second, 'second');
    closers.push(() => again.stop());
    const seconds = (performance.now() - begun) / 1_000;

    const subjects = await administer(urlOf(second), 'select subject from change_request');
    const found = subjects.map(({ subject }) => String(subject));
    const { items } = await must(again.url, `/v1/spaces/${spaceId}/content/files`);
    const downloads = await Promise.all(
      items.map(async ({ downloadURL }) => {
        const { pathname, search } = new URL(downloadURL);
        return (await fetch(`${again.url}${pathname}${search}`)).arrayBuffer();
      }),
    );
    const hashes = downloads.map((bytes) => hashOf(Buffer.from(bytes)));
    await must(again.url, `/v1/spaces/${spaceId}/change-requests`, { subject: 'after the recovery' });
    const keys = await bucket.keys();
    report({
      version: directory,
      seconds: Math.round(seconds * 10) / 10,
      acknowledged: before.acknowledged.size,
      missing: [...before.acknowledged].filter((subject) => !found.includes(subject)),
      doubled: found.filter((subject, index) => found.indexOf(subject) !== index),
      later: found.filter((subject) => subject.startsWith('after')),
      filesMissing: files.filter((hash) => !hashes.includes(hash)),
      filesTooMany: hashes.filter((hash) => !files.includes(hash)),
      isLaterFileInBucket: keys.some((key) => key.replaceAll('/', '').endsWith(lost)),
    });
  } finally {
    for (const close of closers.toReversed()) await close();
    await rm(home, { recursive: true, force: true });
  }
}

function urlOf({ port }: Server): string {
  return `postgresql://postgres@127.0.0.1:${port}/postgres`;
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Servers, backups and the archive in one directory. The server's account owns them. */
async function installation(directory: string, home: string) {
  const environment = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' };
  const found: Programs = { initdb: join(directory, 'initdb'), postgres: join(directory, 'postgres'), environment };
  const account: OsAccount = await serverAccount(found);
  const own = async (path: string) => {
    if (account.uid !== undefined) await chown(path, account.uid, account.uid);
  };
  const archive = join(home, 'archive');
  await mkdir(archive);
  for (const path of [home, archive]) await own(path);
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    archive_mode: 'on',
    archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
    restore_command: `cp ${archive}/%f %p`,
  };
  return {
    async initialize(name: string): Promise<void> {
      const init = ['--pgdata', join(home, name), '--username=postgres', '--auth=trust', '--encoding=UTF8'];
      await run([...account.prefix, found.initdb, ...init], environment);
    },
    launch: (name: string): Promise<Server> =>
      launchServer({
        programs: found,
        account,
        data: join(home, name),
        settings,
        logFile: join(home, `${name}.log`),
        log: console.error,
      }),
    async backUp(server: Server, name: string): Promise<void> {
      const words = ['--pgdata', join(home, name), '--dbname', urlOf(server), '--checkpoint=fast'];
      await run([...account.prefix, join(directory, 'pg_basebackup'), ...words], environment);
    },
    /** A data directory that recovers to the moment when a server starts on it. */
    async restore(backup: string, name: string, moment: string): Promise<void> {
      const data = join(home, name);
      await run([...account.prefix, '/bin/cp', '-a', join(home, backup), data], environment);
      await writeFile(
        join(data, 'postgresql.auto.conf'),
        `recovery_target_time = '${moment}'\nrecovery_target_action = 'promote'\n`,
      );
      await writeFile(join(data, 'recovery.signal'), '');
      for (const file of ['postgresql.auto.conf', 'recovery.signal']) await own(join(data, file));
    },
  };
}

interface Body {
  id: string;
  items: { id: string; downloadURL: string }[];
}

async function must(url: string, path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') {
  const response = await send({ url, token: TOKEN }, path, { method, body });
  const text = (await response?.text()) ?? '';
  if (!response?.ok) throw new Error(`${method} ${path}: ${response?.status} ${text}`);
  return JSON.parse(text || '{}') as Body; // of the API
}

/** Adds a file to a space, and returns its hash. */
async function addFile(url: string, spaceId: string, name: string): Promise<string> {
  const bytes = randomBytes(100_000);
  const files = [{ name: `${name}.bin`, base64: bytes.toString('base64') }];
  await must(url, `/v1/spaces/${spaceId}/content`, { changes: [{ operation: 'insert_files', files }] });
  return hashOf(bytes);
}

interface Findings {
  version: string;
  seconds: number;
  acknowledged: number;
  missing: string[];
  doubled: string[];
  /** Subjects that came after the moment. */
  later: string[];
  filesMissing: string[];
  filesTooMany: string[];
  /** Nothing is removed from the bucket by a recovery. */
  isLaterFileInBucket: boolean;
}

function report(findings: Findings): void {
  console.log(JSON.stringify(findings, null, 2));
  const { acknowledged, missing, doubled, later, filesMissing, filesTooMany, isLaterFileInBucket } = findings;
  const faults = [missing, doubled, later, filesMissing, filesTooMany].flat();
  if (acknowledged > 0 && faults.length === 0 && isLaterFileInBucket) return;
  console.error('Not as it must be.');
  process.exitCode = 1;
}
