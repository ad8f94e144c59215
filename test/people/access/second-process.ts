import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll } from 'vitest';
import { type App, createApp } from '../../../src/app.ts';
import { configOf } from '../../settings.ts';

/**
 * Another process of the service on the same database, as far as it shares nothing else. By default stopped after the
 * file.
 */
export async function startSecond(
  databaseUrl: string,
  atEnd: (stop: () => Promise<void>) => void = afterAll,
): Promise<App> {
  const dataDir = await mkdtemp(join(tmpdir(), 'stemma-second-'));
  const second = await createApp({
    config: configOf({ WORKERS: '0', DATA_DIR: dataDir }),
    databaseUrl,
    secretKey: 'a key of tests that is long enough',
    log: pino({ level: 'error' }),
    isMigrated: true,
  });
  atEnd(async () => {
    await second.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return second;
}
