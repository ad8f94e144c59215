import { createHash } from 'node:crypto';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import pino from 'pino';
import { expect, test, vi } from 'vitest';
import { createApp } from '../../../src/app.ts';
import {
  BYTES_GRACE_MS,
  removeUnusedBytes,
} from '../../../src/domain/content/garbage-collection/remove-unused-bytes.ts';
import type { Services } from '../../../src/platform/context/services.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { configOf } from '../../settings.ts';
import { world } from '../../world.ts';

const { app, databaseUrl, editor, organizationId } = await world();
const { db, storage, config } = app.services;
const directory = join(config.dataDir, 'blobs');

const ROUNDS = 6;
const DAY_MS = 24 * 3_600_000;

/** Runs a function with the services of a second server, which has a `DATA_DIR` of its own and the same files. */
async function withSecondServer(act: (services: Services) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'stemma-collect-'));
  const second = await createApp({
    config: configOf({ WORKERS: '0', DATA_DIR: dataDir, STORAGE_URL: `file://${directory}` }),
    databaseUrl,
    secretKey: 'a key of tests that is long enough',
    log: pino({ level: 'error' }),
    isMigrated: true,
  });
  try {
    await act(second.services);
  } finally {
    await second.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest();

const upload = (text: string) =>
  editor.send('POST', `/v1/orgs/${organizationId}/uploads`, Buffer.from(text), {
    'content-type': 'application/octet-stream',
  });

async function stored(text: string): Promise<string | undefined> {
  const bytes = await storage.read(hashOf(text));
  return bytes && textOf(bytes);
}

/** Old bytes that nothing refers to. */
async function abandon(text: string): Promise<void> {
  expect((await upload(text)).status).toBe(201);
  await db.deleteFrom('upload').where('blobHash', '=', hashOf(text)).execute();
  await db.deleteFrom('blob').where('hash', '=', hashOf(text)).execute();
  const name = hashOf(text).toString('hex');
  const time = new Date(Date.now() - BYTES_GRACE_MS - DAY_MS);
  // A collector that met the former bytes may have moved these for a moment.
  await vi.waitFor(() => utimes(join(directory, name.slice(0, 2), name), time, time));
}

test('two servers collect in a shared directory while others upload the same bytes, and nothing in use is lost', async () => {
  const texts = Array.from({ length: 8 }, (_, index) => `raced ${index}`);
  const unused = Array.from({ length: 4 }, (_, index) => `unused ${index}`);
  expect((await upload('used all along')).status).toBe(201);
  await withSecondServer(async (second) => {
    let hasEnded = false;
    const { signal } = new AbortController();
    const collecting = [app.services, second].map(async (services) => {
      while (!hasEnded) await removeUnusedBytes.run(jobContext(services, 'job-test'), {}, { signal, retries: 0 });
    });
    /** Each text at its own pace, so that uploads meet collectors at any point. */
    const race = async (text: string) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        await abandon(text);
        const answers = await Promise.all([upload(text), upload(text)]);
        expect(answers.map(({ status }) => status)).toEqual([201, 201]);
        // A collector that has moved new bytes puts them back.
        await expect.poll(() => stored(text)).toBe(text);
      }
    };
    const racing = async () => {
      await Promise.all([...texts.map(race), ...unused.map(abandon)]);
      await expect.poll(() => Promise.all(unused.map(stored))).toEqual(unused.map(() => undefined));
    };
    const raced = racing().finally(() => {
      hasEnded = true;
    });
    await Promise.all([raced, ...collecting]);
  });
  const used = [...texts, 'used all along'];
  expect(await Promise.all(used.map(stored))).toEqual(used);
});
