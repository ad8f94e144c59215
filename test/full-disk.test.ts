import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, statfsSync } from 'node:fs';
import { mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findRunningServer } from '../src/platform/database/embedded/postmaster.ts';
import { Client } from './client.ts';
import { programWords } from './command.ts';
import { administer } from './database.ts';

// A file system of its own needs root. Without it, these tests are skipped.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const TOKEN = 'stemma_the_token_of_the_full_disk';
const FULL = { error: expect.objectContaining({ code: 507, message: expect.stringContaining('no disk space left') }) };
const UPLOAD_BYTES = 4_000_000;

const disk = await mkdtemp(join(tmpdir(), 'stemma-full-disk-'));
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', disk]).status === 0;
const dataDir = join(disk, 'data');
const ballast = join(disk, 'ballast');
if (!isMounted) process.stderr.write('The tests of a full disk are skipped: they need root, to mount a file system.\n');

let service: { process: ChildProcess; output(): string; ended: Promise<number | null>; client: Client };
let organizationId: string;
let pdfUrl: string;
/** SHA-256 of what was acknowledged, by upload. */
const acknowledged = new Map<string, string>();

beforeAll(async () => {
  if (!isMounted) return;
  service = await start();
  const { client } = service;
  organizationId = (await client.get('/v1/orgs')).body.items[0].id;
  const space = (await client.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Printed' })).body;
  pdfUrl = (await client.get(`/v1/spaces/${space.id}/pdf`)).body.url;
});

afterAll(async () => {
  if (service?.process.exitCode === null) await stop();
  if (isMounted) execFileSync('umount', ['-l', disk]);
  await rm(disk, { recursive: true, force: true });
});

async function start(): Promise<typeof service> {
  const { PATH, HOME } = process.env;
  const environment = {
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    DEMO: '0',
    RATE_LIMIT: '0',
    BOOTSTRAP_TOKEN: TOKEN,
  };
  const child = spawn(process.execPath, programWords('main'), {
    env: { PATH, HOME, ...environment, UPLOAD_QUOTA_MB: '10000', TMPDIR: disk } as unknown as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  while (!text.includes('GraphiQL') && child.exitCode === null) await sleep(20);
  expect(text).toContain('GraphiQL');
  const client = new Client(/listens on (\S+)/.exec(text)?.[1] ?? '', TOKEN);
  return { process: child, output: () => text, ended, client };
}

async function stop(): Promise<void> {
  service.process.kill('SIGTERM');
  expect(await service.ended).toBe(0);
}

const freeBytes = () => {
  const { bavail, bsize } = statfsSync(disk);
  return bavail * bsize;
};

async function upload(): Promise<number> {
  const bytes = randomBytes(UPLOAD_BYTES);
  const response = await fetch(`${service.client.url}/v1/orgs/${organizationId}/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/octet-stream' },
    body: bytes,
  });
  const body = await response.json();
  if (response.status === 201) acknowledged.set(body.id, createHash('sha256').update(bytes).digest('hex'));
  else expect(body).toMatchObject(FULL);
  return response.status;
}

/** Another program takes all space but `left` bytes. */
async function fill(left: number): Promise<void> {
  const file = await open(ballast, 'a');
  const block = randomBytes(2 ** 20);
  try {
    while (freeBytes() > left) await file.write(block.subarray(0, Math.min(block.length, freeBytes() - left)));
  } finally {
    await file.close();
  }
}

async function onDatabase(statement: string): Promise<Record<string, unknown>[]> {
  return administer((await findRunningServer(dataDir)) ?? '', statement);
}

const readGraph = async () =>
  (await service.client.graphqlRaw('{ viewer { organizations { nodes { title } } } }')).body.data;

async function expectReadable(): Promise<void> {
  expect((await service.client.get('/v1/orgs')).status).toBe(200);
  expect(await readGraph()).toEqual({ viewer: { organizations: { nodes: [{ title: 'Acme' }] } } });
}

/** The bytes of every acknowledged upload are those that were sent. */
async function expectAllKept(): Promise<void> {
  const rows = await onDatabase(`select id, encode(blob_hash, 'hex') as hash from upload where blob_hash is not null`);
  expect(Object.fromEntries(rows.map(({ id, hash }) => [id, hash]))).toMatchObject(Object.fromEntries(acknowledged));
  for (const hash of acknowledged.values()) {
    const bytes = await readFile(join(dataDir, 'blobs', hash.slice(0, 2), hash));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(hash);
  }
}

/** The PDF of a space, which needs temporary files. The service has another port after a restart. */
function printed(): Promise<Response> {
  const { pathname, search } = new URL(pdfUrl);
  return fetch(`${service.client.url}${pathname}${search}`);
}

const readiness = async () => {
  const { status, body } = await service.client.get('/readyz');
  return { status, ...body };
};

test.runIf(isMounted)('uploads fill the disk until they are INSUFFICIENT_STORAGE, and reads go on', async () => {
  await expect.poll(() => existsSync(join(dataDir, 'reserve'))).toBe(true);
  expect(await readiness()).toEqual({ status: 'ready' });
  const filled = new AbortController();
  let reads = 0;
  const reading = (async () => {
    for (; !filled.signal.aborted; reads++) await expectReadable();
  })();
  const fillDisk = async () => {
    while ((await upload()) === 201) expect(acknowledged.size).toBeLessThan(100);
  };
  await Promise.all([fillDisk(), fillDisk(), fillDisk()]);
  filled.abort();
  await reading;
  expect(reads).toBeGreaterThan(0);
  expect(acknowledged.size).toBeGreaterThan(5);
  expect(freeBytes()).toBeGreaterThan(40_000_000);
});

test.runIf(isMounted)('nothing is left of rejected uploads', async () => {
  expect(await readdir(join(dataDir, 'blobs', 'incoming'))).toEqual([]);
  expect(await onDatabase('select id from upload where blob_hash is null or pending_bytes <> 0')).toEqual([]);
});

test.runIf(isMounted)(
  'while the disk is full, commands are rejected in both transports, and probes tell why',
  async () => {
    const { client } = service;
    const reason = 'The disk is full, so the service cannot write. Free space or enlarge the disk.';
    // What rejected uploads had written is free again.
    const filled = async () => {
      await upload();
      return (await readiness()).reason;
    };
    await expect.poll(filled).toBe(reason);
    expect(await client.post(`/v1/orgs/${organizationId}/spaces`, { title: 'New' })).toMatchObject({
      status: 507,
      body: FULL,
    });
    const mutation = `mutation { createSpace(input: { organizationId: "${organizationId}", title: "New" }) { space { id } } }`;
    const { body } = await client.graphqlRaw(mutation);
    expect(body.errors).toMatchObject([{ extensions: { code: 'INSUFFICIENT_STORAGE' } }]);
    expect(await readiness()).toEqual({ status: 'ready', reason });
    const metrics = await (
      await fetch(`${client.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
    ).text();
    expect(metrics).toContain('stemma_disk_full{disk="database"} 1');
    expect(metrics).toMatch(/^stemma_disk_free_bytes\{disk="files"\} \d+$/m);
  },
);

test.runIf(isMounted)(
  'when another program takes the rest, the reserve is freed, and the service can be restarted',
  async () => {
    await fill(8_000_000);
    await expect.poll(() => existsSync(join(dataDir, 'reserve')), { timeout: 20_000 }).toBe(false);
    await expectReadable();
    await stop();
    service = await start();
    await expectReadable();
    expect(await upload()).toBe(507);
    expect(await readiness()).toMatchObject({
      status: 'ready',
      reason: 'The disk is full, so the service cannot write. Free space or enlarge the disk.',
    });
  },
);

test.runIf(isMounted)('reads go on without a single free byte', async () => {
  await fill(0);
  for (let count = 0; count < 20; count++) await expectReadable();
  expect(await upload()).toBe(507);
  const pdf = await printed();
  expect([pdf.status, await pdf.json()]).toEqual([507, expect.objectContaining(FULL)]);
  expect(service.output()).not.toContain('exited unexpectedly');
});

test.runIf(isMounted)(
  'with space again, the service writes by itself, has its reserve, and has lost nothing',
  async () => {
    await rm(ballast);
    await expect.poll(readiness, { timeout: 20_000 }).toEqual({ status: 'ready' });
    const space = await service.client.post(`/v1/orgs/${organizationId}/spaces`, { title: 'After' });
    expect(space.status).toBe(201);
    expect((await printed()).status).toBe(200);
    await expectAllKept();
    await stop();
    service = await start();
    await expectAllKept();
    expect((await service.client.get(`/v1/spaces/${space.body.id}`)).body.title).toBe('After');
  },
);
