import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import pino from 'pino';
import { expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { Client } from '../client.ts';
import { makeDatabase } from '../database.ts';
import { configOf } from '../settings.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const METRICS_TOKEN = 'a-token-that-is-long-enough';

/** Starts a service, uses it, closes it, and returns weak references to its parts. */
async function startAndClose(): Promise<Record<string, WeakRef<object>>> {
  const database = await makeDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'stemma-closed-'));
  const config = configOf({ WORKERS: '0', DATA_DIR: dataDir, METRICS_TOKEN });
  const app = await createApp({
    config,
    databaseUrl: database.url,
    secretKey: 'a key of tests that is long enough',
    log: pino({ level: config.logLevel }),
    isMigrated: true,
  });
  const client = new Client(`http://127.0.0.1:${await app.listen()}`);
  expect((await client.get('/readyz')).status).toBe(200);
  const { body } = await client.send('GET', '/metrics', undefined, { authorization: `Bearer ${METRICS_TOKEN}` });
  expect(body).toContain('nodejs_gc_duration_seconds');
  await app.close();
  await database.drop();
  await rm(dataDir, { recursive: true });
  const { services } = app;
  return {
    app: new WeakRef(app),
    services: new WeakRef(services),
    db: new WeakRef(services.db),
    em: new WeakRef(services.em),
  };
}

test('closed services do not stay in memory', async () => {
  const services: Awaited<ReturnType<typeof startAndClose>>[] = [];
  for (let started = 0; started < 5; started++) services.push(await startAndClose());
  const countKept = () =>
    services.filter((parts) => Object.values(parts).some((part) => part.deref() !== undefined)).length;
  // MikroORM keeps one of its instances by the classes of entities, and the engine may keep the last one for a while.
  await expect
    .poll(
      () => {
        collectGarbage();
        return countKept();
      },
      { timeout: 5_000 },
    )
    .toBeLessThanOrEqual(2);
});
