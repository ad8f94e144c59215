import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/start-embedded-postgres.ts';
import { startService } from '../bench/processes.ts';
import { freshConnections } from '../fresh-connections.ts';

/*
 * 64 connections are opened around the SIGTERM of a service, again and again, with one server process and with two: all at
 * the same moment, or over 200 ms. Afterwards: each has its response.
 *
 *   node test/faults/stops.ts [rounds] [delay in milliseconds]
 */

const COUNT = 64;
const BEFORE_MS = 100;
const rounds = Number(process.argv[2] ?? 20);
const SHUTDOWN_DELAY_MS = process.argv[3] ?? '1000';

const directory = await mkdtemp(join(tmpdir(), 'stemma-faults-'));
const dataDir = await openDataDir(join(directory, 'database'));
const database = await startEmbeddedPostgres({ dataDir, log: () => {} });

try {
  for (const WEB_CONCURRENCY of ['1', '2']) {
    const outcomes: Record<string, number> = {};
    for (let round = 0; round < rounds; round++) {
      for (const outcome of await stopOnce({ WEB_CONCURRENCY, SHUTDOWN_DELAY_MS }, round)) {
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      }
    }
    process.stdout.write(`${rounds} stops of ${WEB_CONCURRENCY} processes: ${JSON.stringify(outcomes)}\n`);
    if (outcomes['HTTP/1.1 200 OK'] !== rounds * COUNT) process.exitCode = 1;
  }
} finally {
  await database.stop();
  dataDir.close();
  await rm(directory, { recursive: true, force: true });
}

async function stopOnce(environment: Record<string, string>, round: number): Promise<string[]> {
  const service = await startService({
    databaseUrl: database.url,
    dataDir: join(directory, 'service'),
    environment: { ...environment, DATABASE_POOL: '4' },
  });
  const isBurst = round % 2 === 0;
  const connections = isBurst ? burst(service.url, round) : freshConnections(service.url, COUNT, 2 * BEFORE_MS);
  await sleep(BEFORE_MS);
  const [outcomes] = await Promise.all([connections, service.stop()]);
  return outcomes;
}

/** All connections at once, from five milliseconds before the signal to five after it. */
async function burst(url: string, round: number): Promise<string[]> {
  await sleep(BEFORE_MS - 5 + (round % 11));
  return freshConnections(url, COUNT, 0);
}
