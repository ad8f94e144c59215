import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import pino from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import yazl from 'yazl';
import { type App, createApp } from '../../src/app.ts';
import { backupParts } from '../../src/backup-parts.ts';
import { connect } from '../../src/database.ts';
import { jobs } from '../../src/jobs.ts';
import { sha256Of } from '../../src/platform/backup/format.ts';
import { verifyArchive } from '../../src/platform/backup/read-archive.ts';
import { restoreBackup } from '../../src/platform/backup/restore-backup.ts';
import { Client } from '../client.ts';
import { runProgram } from '../command.ts';
import { administer, databaseUrl } from '../database.ts';
import { configOf } from '../settings.ts';
import { world } from '../world.ts';

const { app, admin, editor, organizationId, databaseUrl: source } = await world();
const { config } = app.services;
const secretKey = app.services.secretKeys.current;

const PHOTO = randomBytes(300_000);
const undo: (() => unknown)[] = [];
let directory: string;
let file: string;
let spaceId: string;
let report: string;
let acknowledged: string[];

/** An address of a database without anything in it. */
async function emptyDatabase(): Promise<string> {
  const name = `${new URL(source).pathname.slice(1)}_${randomBytes(3).toString('hex')}`;
  await administer(source, `create database ${name}`);
  undo.push(() => administer(source, `drop database if exists ${name} with (force)`));
  return databaseUrl(source, name);
}

const newDirectory = () => mkdtemp(join(directory, 'data-'));

const restore = async (path: string, url: string, more: Record<string, string> = {}, ...words: string[]) =>
  runProgram('restore', [path, ...words], {
    DATABASE_URL: url,
    SECRET_KEY: secretKey,
    DATA_DIR: await newDirectory(),
    ...more,
  });

const tablesAt = (url: string) => administer(url, `select from pg_tables where schemaname = 'public'`);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'stemma-backup-'));
  undo.push(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  file = join(directory, 'stemma.backup');
  await fill();
  await writeBeside(async () => {
    const { code, output } = await runProgram('backup', [file], {
      DATABASE_URL: source,
      SECRET_KEY: secretKey,
      DATA_DIR: config.dataDir,
    });
    expect([code, output]).toEqual([0, expect.stringContaining('Verified: ')]);
    report = output;
  });
}, 60_000);

afterAll(async () => {
  for (const step of undo.toReversed()) await step();
});

/** Pages, files and a change request, by the public door; and a job that waits. */
async function fill(): Promise<void> {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Kept' }, 'space { id }');
  spaceId = space.id;
  const zip = new yazl.ZipFile();
  zip.addBuffer(Buffer.from('# Welcome\n\nTab\there, back\\slash, ünï.\n\n![Photo](photo.png)\n'), 'README.md');
  zip.addBuffer(PHOTO, 'photo.png');
  zip.end();
  const bytes = await buffer(zip.outputStream);
  const upload = await admin.send('POST', `/v1/orgs/${organizationId}/uploads`, bytes, {
    'content-type': 'application/zip',
  });
  const imported = { spaceId, url: upload.body.url, source: 'ZIP' };
  await admin.mutate('importSpaceContent', imported, 'revision { id }');
  const { changeRequest } = await editor.mutate(
    'createChangeRequest',
    { spaceId, subject: 'Next' },
    'changeRequest { id }',
  );
  const changes = [{ insertPage: { title: 'Proposed', document: { markdown: 'New words.' } } }];
  await editor.mutate('updateChangeRequestContent', { changeRequestId: changeRequest.id, changes }, 'pageIds');
  await app.services.jobs.boss.send('remove-deleted-spaces', {}, { startAfter: 86_400 });
}

/** Goes on making spaces with a page each while something happens, and keeps the ids that were acknowledged before. */
async function writeBeside(act: () => Promise<void>): Promise<void> {
  let isOver = false;
  acknowledged = [];
  const write = async () => {
    while (!isOver) {
      const { space } = await admin.mutate('createSpace', { organizationId, title: 'Beside' }, 'space { id }');
      const changes = [{ insertPage: { title: 'Page', document: { markdown: 'Words.' } } }];
      await admin.mutate('updateSpaceContent', { spaceId: space.id, changes }, 'pageIds');
      acknowledged.push(space.id);
    }
  };
  const writers = [write(), write()];
  // Outside of a test, where `expect.poll` cannot be used.
  await vi.waitUntil(() => acknowledged.length >= 6, { timeout: 25_000 });
  const before = acknowledged.length;
  await act();
  expect(acknowledged.length).toBeGreaterThan(before);
  isOver = true;
  await Promise.all(writers);
  acknowledged = acknowledged.slice(0, before);
}

/** What the two doors answer of the space that was there before. */
async function answers(client: Client) {
  const graph = await client.graphql(
    `query($id: ID!) { node(id: $id) { ... on Space {
      id title version createdAt
      revision { id pages { ... on DocumentPage { pageId title path markdown } } files(first: 5) { nodes { fileId name size } } }
      changeRequests(first: 5) { totalCount nodes { id number subject revision { id pages { ... on PageNode { title } } } } }
    } } }`,
    { id: spaceId },
  );
  const paths = ['', '/content', '/content/pages', '/change-requests', '/change-requests/1'];
  const rest = await Promise.all(paths.map((path) => client.get(`/v1/spaces/${spaceId}${path}`)));
  expect(rest.map(({ status }) => status)).toEqual(paths.map(() => 200));
  return { graph, rest: rest.map(({ body }) => body) };
}

const pagesAt = async (client: Client, path: string): Promise<unknown[]> => {
  const { status, body } = await client.get(path);
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return body.pages;
};

async function photoBy(client: Client, at: App): Promise<Buffer> {
  const { body } = await client.get(`/v1/spaces/${spaceId}/content/files`);
  const address = body.items[0].downloadURL.replace(at.services.config.publicUrl, client.url);
  return Buffer.from(await (await fetch(address)).arrayBuffer());
}

test('a backup made during writes restores to a consistent service', async () => {
  const url = await emptyDatabase();
  const dataDir = await newDirectory();
  const { code, output } = await restore(file, url, { DATA_DIR: dataDir });
  expect([code, output]).toEqual([0, expect.stringContaining('Verified: ')]);
  expect(output.split('\n').slice(1)).toEqual(report.split('\n').slice(1, -2).concat(''));

  const settings = configOf({ WORKERS: '0', DATA_DIR: dataDir });
  const restored = await createApp({ config: settings, databaseUrl: url, secretKey, log: pino({ level: 'error' }) });
  try {
    const client = new Client(`http://127.0.0.1:${await restored.listen()}`, admin.token);
    expect(await answers(client)).toEqual(await answers(admin));
    expect(await photoBy(client, restored)).toEqual(PHOTO);
    expect(await photoBy(admin, app)).toEqual(PHOTO);
    for (const id of acknowledged) {
      const path = `/v1/spaces/${id}/content/pages`;
      expect(await pagesAt(client, path)).toEqual(await pagesAt(admin, path));
      expect(await pagesAt(client, path)).toHaveLength(2);
    }
    const { space } = await client.mutate('createSpace', { organizationId, title: 'After' }, 'space { id }');
    expect((await client.get(`/v1/spaces/${space.id}`)).status).toBe(200);
    const jobs = await restored.services.jobs.boss.findJobs('remove-deleted-spaces');
    expect(jobs.map(({ state }) => state)).toEqual(['created']);
  } finally {
    await restored.close();
  }
}, 60_000);

test('a backup is readable by its owner only, and does not replace a file', async () => {
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const again = await runProgram('backup', [file], { DATABASE_URL: source, SECRET_KEY: secretKey });
  expect([again.code, again.output]).toEqual([1, expect.stringMatching(/^The file .* already exists\./)]);
  expect((await readdir(directory)).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('refuses a database that is not empty', async () => {
  const { code, output } = await restore(file, source);
  expect([code, output]).toEqual([1, expect.stringMatching(/^The database is not empty: .* DATABASE_URL/)]);
});

test('a restoration that fails at once closes its connections', async () => {
  const url = await emptyDatabase();
  const restoring = restoreBackup(file, await verifyArchive(file), {
    databaseUrl: url,
    storage: app.services.storage,
    secretKey,
    migrations: backupParts.migrations,
    async connect(address) {
      // After the queue has its own schema: the first table of the service cannot be made.
      await administer(url, 'drop schema public');
      return connect(address, { poolSize: 1, migratesWithin: true });
    },
    finish: async () => {},
    jobs,
    log: pino({ level: 'silent' }),
  });
  await expect(restoring).rejects.toThrow('schema "public" does not exist');
  const others = 'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
  await expect.poll(() => administer(url, others)).toEqual([]);
});

test('verifying a backup ends with its signal', async () => {
  const reason = new Error('Stopped.');
  await expect(verifyArchive(file, AbortSignal.abort(reason))).rejects.toBe(reason);
});

test('another secret key is refused unless requested', async () => {
  const url = await emptyDatabase();
  const other = { SECRET_KEY: 'quite another key of thirty-two characters' };
  const refused = await restore(file, url, other);
  expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('with another secret key')]);
  expect(await tablesAt(url)).toEqual([]);
  const taken = await restore(file, url, other, '--new-key');
  expect([taken.code, taken.output]).toEqual([0, expect.stringContaining('Verified')]);
});

/** The archive with a change in its bytes. */
async function changed(name: string, change: (tar: Buffer) => Buffer): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, gzipSync(change(gunzipSync(await readFile(file)))));
  return path;
}

const replaced = (tar: Buffer, from: string, to: string) => {
  const place = tar.indexOf(from);
  expect(place).toBeGreaterThan(0);
  const copy = Buffer.from(tar);
  copy.write(to, place);
  return copy;
};

const otherByte = (tar: Buffer) => {
  const copy = Buffer.from(tar);
  const place = tar.indexOf(PHOTO.subarray(1_000, 1_020));
  copy[place] = (copy[place] ?? 0) ^ 1;
  return copy;
};

/** As a version would have written it that has another migration. */
function newer(tar: Buffer): Buffer {
  const size = Number.parseInt(tar.toString('latin1', 124, 135), 8);
  const text = tar.subarray(512, 512 + size);
  const later = Buffer.from(text.toString().replace('2026-11-20-ground-floor', '2036-11-20-ground-floor'));
  return replaced(replaced(tar, text.toString(), later.toString()), sha256Of(text), sha256Of(later));
}

test.each<[string, () => Promise<string>, RegExp]>([
  [
    'cut off',
    async () => {
      const path = join(directory, 'cut');
      const bytes = await readFile(file);
      await writeFile(path, bytes.subarray(0, Math.floor(bytes.length * 0.7)));
      return path;
    },
    /damaged or incomplete/,
  ],
  [
    'cut off before it was compressed',
    () => changed('cut-tar', (tar) => tar.subarray(0, 40 * 512)),
    /damaged or incomplete|incomplete/,
  ],
  [
    'without its end',
    () =>
      changed('no-end', (tar) => Buffer.concat([tar.subarray(0, tar.indexOf('manifest.json')), Buffer.alloc(1024)])),
    /manifest.json is missing/,
  ],
  [
    'with another word in a row',
    () => changed('row', (tar) => replaced(tar, 'Kept', 'Kapt')),
    /Different from its manifest: the table /,
  ],
  [
    'with another byte in a file',
    () => changed('byte', (tar) => otherByte(tar)),
    /Different from its manifest: the file/,
  ],
  ['of a newer version', () => changed('newer', newer), /does not know 2036-11-20-ground-floor\. Restore it with that/],
  [
    'that is none',
    async () => {
      const path = join(directory, 'none');
      await writeFile(path, 'a text');
      return path;
    },
    /damaged or incomplete/,
  ],
])('an archive %s is refused, and nothing is done', async (_what, make, message) => {
  const url = await emptyDatabase();
  const dataDir = await newDirectory();
  const { code, output } = await restore(await make(), url, { DATA_DIR: dataDir });
  expect([code, output]).toEqual([1, expect.stringMatching(message)]);
  expect(output).not.toContain('    at ');
  expect(await tablesAt(url)).toEqual([]);
  expect(await readdir(dataDir)).toEqual([]);
});
