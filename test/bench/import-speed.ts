import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../src/database.ts';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/start-embedded-postgres.ts';
import { fillPeople, TOKENS } from './fill/people.ts';
import { makePostgresUsage } from './postgres-usage.ts';
import { startService } from './processes.ts';
import { importFolder } from './search/sets.ts';

/*
 * Imports a zip archive on a new service, and prints the time, the processor time of the event loop, the threads and
 * PostgreSQL, and the peak memory of the service.
 *
 *   node test/bench/import-speed.ts ARCHIVE [PROFILE_DIRECTORY]
 */

const [archive, profile] = process.argv.slice(2);
if (archive === undefined) {
  console.error('Usage: node test/bench/import-speed.ts ARCHIVE [PROFILE_DIRECTORY]');
  process.exit(1);
}

const directory = await mkdtemp(join(tmpdir(), 'stemma-import-'));
const dataDir = await openDataDir(directory);
const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
const service = await startService({
  databaseUrl: server.url,
  dataDir: join(directory, 'service'),
  profile,
  environment: { WORKERS: '1' },
});
const { db, close } = await connect(server.url, { poolSize: 1 });
try {
  const [staff] = await fillPeople(db, 1);
  if (!staff) throw new Error('There is no organization.');
  const postgres = await makePostgresUsage(db);
  const before = { all: (await service.usage()).cpuMs, loop: await loopOf(service.pid), postgres: await postgres?.() };
  const begun = performance.now();
  const { organizationId } = staff;
  await importFolder({ url: service.url, token: TOKENS.admin, organizationId }, 'archive', await readFile(archive));
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const elapsed = performance.now() - begun;
  const { cpuMs, peakBytes, longestDelayMs } = await service.usage();
  const loop = (await loopOf(service.pid)) - before.loop;
  const pages = await db.selectFrom('head_page').select('pageId').execute();
  console.log(`${pages.length} pages in ${seconds(elapsed)}`);
  console.log(`event loop ${seconds(loop)}, threads ${seconds(cpuMs - before.all - loop)}`);
  console.log(`PostgreSQL ${seconds(((await postgres?.()) ?? 0) - (before.postgres ?? 0))}`);
  console.log(`peak ${Math.round(peakBytes / 1e6)} MB, longest delay ${longestDelayMs.toFixed(0)} ms`);
} finally {
  await close();
  await service.stop();
  await server.stop();
  dataDir.close();
  await rm(directory, { recursive: true, force: true });
}

/** Processor time of the main thread in milliseconds, counted in hundredths of a second (proc_pid_stat(5)). */
async function loopOf(pid: number | undefined): Promise<number> {
  const text = await readFile(`/proc/${pid}/task/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
}
