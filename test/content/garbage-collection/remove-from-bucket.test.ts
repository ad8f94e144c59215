import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import {
  BYTES_GRACE_MS,
  removeUnusedBytes,
} from '../../../src/domain/content/garbage-collection/remove-unused-bytes.ts';
import { jobContext } from '../../../src/platform/jobs/job.ts';
import { startS3 } from '../../platform/s3-service.ts';
import { world } from '../../world.ts';

vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER');
vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER');
const s3 = await startS3();
afterAll(() => s3.close());
afterEach(() => s3.heal());

const STORAGE_URL = `s3://blobs/docs?region=us-east-1&endpoint=${s3.url}`;
const { app, databaseUrl, editor, organizationId } = await world({ STORAGE_URL });
const { db, storage } = app.services;

const { signal } = new AbortController();
const collect = () => removeUnusedBytes.run(jobContext(app.services, 'job-test'), {}, { signal, retries: 0 });

const upload = (text: string) =>
  editor.send('POST', `/v1/orgs/${organizationId}/uploads`, Buffer.from(text), {
    'content-type': 'application/octet-stream',
  });

const hashOf = (text: string) => createHash('sha256').update(text).digest();
const keyOf = (text: string, place = '') => {
  const name = hashOf(text).toString('hex');
  return `docs/${place}${name.slice(0, 2)}/${name}`;
};
const deletionOf = (text: string) => new RegExp(`^DELETE /blobs/${keyOf(text)}`);

async function isThere(text: string): Promise<boolean> {
  const bytes = await storage.read(hashOf(text));
  bytes?.destroy();
  return bytes !== undefined;
}

const DAY_MS = 24 * 3_600_000;

/** Makes an object as old as if it was written so long ago. */
async function age(key: string, milliseconds = BYTES_GRACE_MS + DAY_MS): Promise<void> {
  const time = new Date(Date.now() - milliseconds);
  for (const kind of ['object', 'metadata.json'])
    await utimes(join(s3.directory, `${key}._S3rver_${kind}`), time, time).catch(() => {});
}

/** Removes the rows that refer to a file. */
async function forget(text: string): Promise<void> {
  await db.deleteFrom('upload').where('blobHash', '=', hashOf(text)).execute();
  await db.deleteFrom('blob').where('hash', '=', hashOf(text)).execute();
}

/** Old bytes without rows. */
async function abandon(text: string): Promise<void> {
  expect((await upload(text)).status).toBe(201);
  await forget(text);
  await age(keyOf(text));
}

test('unused bytes are set aside, and deleted by a run seven days later', async () => {
  await abandon('unused');
  await collect();
  expect(await s3.keys()).toEqual([keyOf('unused', 'unused/')]);
  await collect();
  expect(await s3.keys()).toEqual([keyOf('unused', 'unused/')]);
  await age(keyOf('unused', 'unused/'));
  await collect();
  expect(await s3.keys()).toEqual([]);
});

test('bytes that are uploaded while they are deleted are found at once, and restored by the same run', async () => {
  await abandon('again');
  let status = 0;
  let wasThere = false;
  s3.before(deletionOf('again'), async () => {
    status = (await upload('again')).status;
  });
  s3.before(/^GET .*prefix=docs%2Funused/, async () => {
    wasThere = await isThere('again');
  });
  await collect();
  expect([status, wasThere]).toEqual([201, true]);
  expect((await s3.keys()).filter((key) => key === keyOf('again'))).toEqual([keyOf('again')]);
  await age(keyOf('again', 'unused/'));
  await collect();
  expect(await s3.keys()).toEqual([keyOf('again')]);
  await forget('again');
  await age(keyOf('again'));
  await collect();
});

test('a run that restores and another that still deletes lose nothing', async () => {
  await abandon('both');
  // The second run is about to delete when the first one deletes, restores and ends.
  s3.before(deletionOf('both'), async () => {
    expect((await upload('both')).status).toBe(201);
    await age(keyOf('both'));
    await collect();
    expect(await isThere('both')).toBe(true);
  });
  await collect();
  expect(await isThere('both')).toBe(true);
  expect(await s3.keys()).toContain(keyOf('both'));
});

test('bytes that are set aside again after they were listed are not deleted', async () => {
  await abandon('listed');
  await collect();
  await age(keyOf('listed', 'unused/'));
  s3.before(new RegExp(`^HEAD /blobs/${keyOf('listed', 'unused/')}`), async () => {
    expect((await upload('listed')).status).toBe(201);
    expect(await storage.remove(hashOf('listed'), new Date(Date.now() + DAY_MS))).toBe(true);
  });
  await collect();
  expect(await isThere('listed')).toBe(true);
  await collect();
  expect(await s3.keys()).toContain(keyOf('listed'));
});

test('a run that has expired deletes nothing', async () => {
  await abandon('expired');
  await collect();
  await age(keyOf('expired', 'unused/'));
  const expired = new AbortController();
  s3.before(/^GET .*prefix=docs%2Funused/, async () => expired.abort());
  const run = removeUnusedBytes.run(jobContext(app.services, 'job-test'), {}, { signal: expired.signal, retries: 0 });
  await expect(run).rejects.toMatchObject({ name: 'AbortError' });
  expect(await s3.keys()).toContain(keyOf('expired', 'unused/'));
  await collect();
  expect(await s3.keys()).not.toContain(keyOf('expired', 'unused/'));
});

test('two processes collect while others upload the same bytes, and nothing is lost', {
  timeout: 180_000,
}, async () => {
  const directories = await Promise.all([1, 2].map(() => mkdtemp(join(tmpdir(), 'stemma-collect-'))));
  const processes = directories.map((DATA_DIR) => {
    const program = join(import.meta.dirname, 'collect-in-process.ts');
    const { PATH, HOME, TMPDIR } = process.env;
    const env = { PATH, HOME, TMPDIR, DATABASE_URL: databaseUrl, DATA_DIR, STORAGE_URL, WORKERS: '0', DEMO: '0' };
    const keys = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
    const child = spawn(process.execPath, [program], { env: { ...env, ...keys } as NodeJS.ProcessEnv });
    const state = { child, runs: 0, errors: '' };
    child.stdout.on('data', (chunk) => (state.runs = Number(String(chunk).trim().split('\n').at(-1))));
    child.stderr.on('data', (chunk) => (state.errors += chunk));
    return state;
  });
  try {
    const started = () => processes.map(({ runs, errors }) => runs > 0 || errors);
    await expect.poll(started, { timeout: 100_000 }).toEqual([true, true]);
    const texts = Array.from({ length: 4 }, (_, index) => `raced ${index}`);
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(texts.map(abandon));
      const statuses = await Promise.all(texts.flatMap((text) => [upload(text), upload(text)]));
      expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([201]));
      expect(await Promise.all(texts.map(isThere))).toEqual(texts.map(() => true));
    }
    for (const { child } of processes) child.stdin.end();
    await Promise.all(processes.map(({ child }) => once(child, 'close')));
    expect(processes.map(({ errors, child }) => [errors, child.exitCode])).toEqual([
      ['', 0],
      ['', 0],
    ]);
    await collect();
    const keys = await s3.keys();
    for (const text of texts) expect(keys).toContain(keyOf(text));
  } finally {
    for (const { child } of processes) child.kill('SIGKILL');
    for (const directory of directories) await rm(directory, { recursive: true, force: true });
  }
});
