import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { type App, createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDataDir } from '../../src/platform/data-dir/open-data-dir.ts';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded/start-embedded-postgres.ts';
import { SECRET_KEY } from './database.ts';
import { fillPeople } from './fill/people.ts';

export interface Measured {
  app: App;
  url: string;
  organizationId: string;
}

/** A temporary PostgreSQL, and a directory for files. */
export interface Place {
  databaseUrl: string;
  directory: string;
}

/** Measures something on a temporary PostgreSQL, and removes it. */
export async function withDatabase(measure: (place: Place) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'stemma-bench-'));
  const dataDir = await openDataDir(directory);
  const server = await startEmbeddedPostgres({ dataDir, log: () => {} });
  try {
    await measure({ databaseUrl: server.url, directory });
  } finally {
    await server.stop();
    dataDir.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/**
 * Uses a service in this process, with an organization and its people. `environment` are settings over those of a
 * benchmark.
 */
export async function inService<Result>(
  { databaseUrl, directory }: Place,
  use: (service: Measured) => Promise<Result>,
  environment: Record<string, string> = {},
): Promise<Result> {
  const config = readConfig({
    PORT: '0',
    DEMO: '0',
    RATE_LIMIT: '0',
    DATA_DIR: dataDirIn(directory),
    ...environment,
  });
  const app = await createApp({ config, databaseUrl, secretKey: SECRET_KEY, log: pino({ level: 'error' }) });
  try {
    const url = `http://127.0.0.1:${await app.listen()}`;
    const [staff] = await fillPeople(app.services.db, 1);
    if (!staff) throw new Error('There is no organization.');
    return await use({ app, url, organizationId: staff.organizationId });
  } finally {
    await app.close();
  }
}

/** The data directory of services at a place. */
export const dataDirIn = (directory: string) => join(directory, 'service');

/** Measures a temporary service with workers, an organization and its people, and removes it. */
export const withService = (measure: (service: Measured) => Promise<void>): Promise<void> =>
  withDatabase((place) => inService(place, measure, { WORKERS: '1' }));
