import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { type App, createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded.ts';
import { SECRET_KEY } from './database.ts';
import { fillPeople } from './fill/people.ts';

export interface Measured {
  app: App;
  url: string;
  organizationId: string;
}

/** Measures a temporary service with workers, an organization and its people, and removes it. */
export async function withService(measure: (service: Measured) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'stemma-bench-'));
  const dataDir = await openDataDir(directory);
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
  const config = readConfig({
    PORT: '0',
    DEMO: '0',
    RATE_LIMIT: '0',
    WORKERS: '1',
    DATA_DIR: join(directory, 'service'),
  });
  const log = pino({ level: 'error' });
  const app = await createApp({ config, databaseUrl: server.url, secretKey: SECRET_KEY, log });
  try {
    const url = `http://127.0.0.1:${await app.listen()}`;
    const [staff] = await fillPeople(app.services.db, 1);
    if (!staff) throw new Error('There is no organization.');
    await measure({ app, url, organizationId: staff.organizationId });
  } finally {
    await app.close();
    await server.stop();
    dataDir.close();
    await rm(directory, { recursive: true, force: true });
  }
}
