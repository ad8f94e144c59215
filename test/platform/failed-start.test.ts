import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { expect, inject, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { administer, databaseUrl } from '../database.ts';
import { configOf } from '../settings.ts';

test('a start that fails after the database was opened closes its connections', async () => {
  const { adminUrl } = inject('databases');
  const name = `stemma_empty_${randomBytes(4).toString('hex')}`;
  const dataDir = await mkdtemp(join(tmpdir(), 'stemma-failed-start-'));
  await administer(adminUrl, `create database ${name}`);
  try {
    const starting = createApp({
      config: configOf({ DATA_DIR: dataDir, WORKERS: '1' }),
      databaseUrl: databaseUrl(adminUrl, name),
      sharesSessions: false,
      secretKey: 'a key of tests that is long enough',
      log: pino({ level: 'silent' }),
      // It is not, so that the first statements fail.
      isMigrated: true,
    });
    await expect(starting).rejects.toThrow(/does not exist/);
  } finally {
    // Refused while a connection is open.
    await expect
      .poll(() => administer(adminUrl, `drop database ${name}`).then(() => 'dropped', String))
      .toBe('dropped');
    await rm(dataDir, { recursive: true, force: true });
  }
});
