import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runProgram } from './command.ts';
import { administer, atPort, makeDatabase } from './database.ts';
import { startS3 } from './platform/s3-service.ts';
import { world } from './world.ts';

// Whole processes, several in one test.
vi.setConfig({ testTimeout: 120_000 });

const SECRET_KEY = 'a secret of at least thirty-two characters';
const { url } = await world();
const database = await makeDatabase();
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'stemma-doctor-'));
});

afterAll(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

/** What the doctor says of each thing. */
async function examine(environment: Record<string, string>) {
  const settings = { PORT: '0', DATABASE_URL: database.url, DATA_DIR: dataDir, SECRET_KEY, ...environment };
  const { code, output } = await runProgram('doctor', [], settings);
  const lines = output.trimEnd().split('\n');
  return { code, output, about: (subject: string) => lines.find((line) => line.slice(9).startsWith(subject)) ?? '' };
}

test('reports one line for each check of a healthy service', async () => {
  const { code, output } = await examine({});
  expect(
    output
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(0, 23).trim()),
  ).toEqual(
    [
      'Node',
      'configuration',
      'secret key',
      'stored secrets',
      'public URL',
      'address',
      'database',
      'migrations',
      'extensions',
      'privileges',
      'clock',
      'session',
      'storage',
      'git',
      'data directory',
    ].map((subject) => `ok       ${subject}`),
  );
  expect(code).toBe(0);
  expect(output).not.toContain(new URL(database.url).password);
});

test('names every wrong setting, and what it must be', async () => {
  const { code, output } = await examine({
    PORT: 'web',
    PUBLIC_URL: 'https://docs.example.com/app',
    LOG_LEVEL: 'loud',
  });
  expect(code).toBe(1);
  expect(output).toMatch(
    /^problem {2}configuration {3}PORT: must be a whole number.*\nproblem {2}configuration {3}PUBLIC_URL: must be a URL without a path.*\nproblem {2}configuration {3}LOG_LEVEL/,
  );
});

test('production needs a secret key, and an address that others can reach', async () => {
  expect((await examine({ NODE_ENV: 'production', SECRET_KEY: '' })).output).toMatch(
    /^problem .*SECRET_KEY is required/,
  );
  const about = async (PUBLIC_URL: string) =>
    (await examine({ NODE_ENV: 'production', PUBLIC_URL })).about('public URL');
  expect(await about('')).toMatch(/^problem.*Set PUBLIC_URL to the address that they use/);
  expect(await about('http://docs.example.com')).toMatch(/^problem.*sends tokens unencrypted/);
  expect(await about('https://docs.example.com')).toMatch(/^ok/);
});

test('reports an unreachable database without its password', async () => {
  const { code, about, output } = await examine({ DATABASE_URL: 'postgres://user:hunter2@127.0.0.1:9/stemma' });
  expect([code, about('database')]).toEqual([
    1,
    expect.stringMatching(/^problem.*cannot be reached.*correct DATABASE_URL/),
  ]);
  expect(output).not.toContain('hunter2');
});

test('distinguishes pending migrations from those of a newer version', async () => {
  const other = await makeDatabase();
  try {
    await administer(
      other.url,
      `delete from mikro_orm_migrations where id = (select max(id) from mikro_orm_migrations)`,
    );
    expect((await examine({ DATABASE_URL: other.url })).about('migrations')).toMatch(
      /^problem.*1 are pending.*Start the service/,
    );
    await administer(other.url, `insert into mikro_orm_migrations (name) values ('2099-01-01-later')`);
    expect((await examine({ DATABASE_URL: other.url })).about('migrations')).toMatch(
      /^problem.*newer version.*2099-01-01-later/,
    );
  } finally {
    await other.drop();
  }
});

/**
 * A proxy that resets the settings of a connection before each prepared statement, as it looks behind a pooler that
 * gives transactions another connection each.
 */
async function forgettingProxy(target: URL) {
  const server = createServer((client) => {
    const backend = connect(Number(target.port), target.hostname);
    let isResetting = false;
    let held: Buffer[] = [];
    client.on('data', (bytes: Buffer) => {
      if (isResetting) return held.push(bytes);
      // The first message of a prepared statement is "Parse"; the answer to a query ends with "ReadyForQuery".
      if (bytes[0] !== 'P'.charCodeAt(0)) return backend.write(bytes);
      isResetting = true;
      held = [bytes];
      backend.write(queryMessage('reset all'));
    });
    backend.on('data', (bytes: Buffer) => {
      if (!isResetting) return client.write(bytes);
      if (bytes.at(-6) !== 'Z'.charCodeAt(0)) return;
      isResetting = false;
      for (const each of held.splice(0)) backend.write(each);
    });
    for (const socket of [client, backend]) socket.on('error', () => socket.destroy());
    client.on('close', () => backend.destroy());
    backend.on('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = atPort(String(target), typeof address === 'object' ? address?.port : 0);
  return { url, [Symbol.dispose]: () => void server.close() };
}

/** A simple query of the protocol: PostgreSQL documentation, 53.7. */
function queryMessage(text: string): Buffer {
  const bytes = Buffer.alloc(6 + text.length);
  bytes.write('Q');
  bytes.writeInt32BE(5 + text.length, 1);
  bytes.write(text, 5);
  return bytes;
}

test('names the settings of sessions that are lost on the way, and what to do', async () => {
  using proxy = await forgettingProxy(new URL(database.url));
  const { code, about } = await examine({ DATABASE_URL: proxy.url });
  expect(about('session')).toMatch(
    /^problem.*\bplan_cache_mode, search_path cannot be set\. A program between .*pooler.*plan_cache_mode to 'force_generic_plan'/,
  );
  expect(code).toBe(1);
});

test('reports storage that is not writable', async () => {
  const occupied = join(dataDir, 'occupied');
  await writeFile(occupied, '');
  await chmod(occupied, 0o600);
  const { code, about } = await examine({ STORAGE_URL: `file://${occupied}` });
  expect([code, about('storage')]).toEqual([1, expect.stringMatching(/^problem.*cannot be used.*Correct STORAGE_URL/)]);
});

test('downloads a stored file by a signed URL, and says why it cannot', async () => {
  const s3 = await startS3();
  const bucket = {
    STORAGE_URL: `s3://blobs?region=us-east-1&endpoint=${s3.url}`,
    STORAGE_PUBLIC: 'signed',
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
  };
  const downloads = async (settings: Record<string, string> = {}) =>
    (await examine({ ...bucket, ...settings })).about('downloads');
  try {
    expect(await downloads()).toMatch(/^ok.*not tried, because no file is stored yet/);
    const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
    const client = new S3Client({ endpoint: s3.url, forcePathStyle: true, region: 'us-east-1', credentials });
    await client.send(new PutObjectCommand({ Bucket: 'blobs', Key: `aa/${'a'.repeat(64)}`, Body: 'stored' }));
    client.destroy();
    expect(await downloads()).toMatch(/^ok.*tried from this machine.*scripts that fetch them need one/);
    s3.break(/X-Amz-Signature/, 403);
    expect(await downloads()).toMatch(/^problem.*answered with status 403\. Correct the credentials/);
    expect(await downloads({ PUBLIC_URL: 'https://docs.example.com' })).toMatch(/^problem.*an endpoint with https:/);
    expect(await downloads({ PUBLIC_URL: s3.url })).toMatch(/^problem.*a separate origin/);
  } finally {
    await s3.close();
  }
  expect((await examine({ STORAGE_PUBLIC: 'signed' })).output).toMatch(/^problem .*requires a bucket/m);
});

test('distinguishes an embedded database that does not exist from one that is stopped', async () => {
  const nothing = await examine({ DATABASE_URL: '', SECRET_KEY: '' });
  expect([nothing.code, nothing.about('database')]).toEqual([
    0,
    expect.stringMatching(/^ok.*the first start creates it/),
  ]);
  expect(nothing.about('secret key')).toMatch(/^ok.*not created yet/);
  const used = join(dataDir, 'used');
  await mkdir(join(used, 'postgres', 'data'), { recursive: true });
  await writeFile(join(used, 'secret-key'), 'ab');
  const stopped = await examine({ DATABASE_URL: '', SECRET_KEY: '', DATA_DIR: used });
  expect([stopped.code, stopped.about('database')]).toEqual([1, expect.stringMatching(/^ok.*not running/)]);
  expect(stopped.about('secret key')).toMatch(/^problem.*64 hexadecimal digits/);
});

/** Every file below a directory, with its size and times. */
async function filesIn(directory: string): Promise<string[]> {
  const names = await readdir(directory, { recursive: true });
  const described = names.map(async (name) => {
    const { size, mtimeMs, ctimeMs, mode } = await stat(join(directory, name));
    return [name, size, mtimeMs, ctimeMs, mode].join(' ');
  });
  return (await Promise.all(described)).toSorted();
}

test('changes nothing: no directory, file, table or row is made or removed', async () => {
  const home = await mkdtemp(join(tmpdir(), 'stemma-doctor-'));
  const empty = await makeDatabase();
  await administer(empty.url, 'drop schema public cascade; create schema public');
  try {
    await mkdir(join(home, 'blobs', 'incoming'), { recursive: true });
    const abandoned = join(home, 'blobs', 'incoming', 'of-a-killed-process');
    await writeFile(abandoned, 'x');
    await utimes(abandoned, new Date(0), new Date(0));
    const relations = () => administer(empty.url, 'select count(*) from pg_class');
    const before = [await filesIn(home), await relations()];
    for (const environment of [
      { DATABASE_URL: empty.url, DATA_DIR: home, SECRET_KEY },
      { DATABASE_URL: '', DATA_DIR: home, SECRET_KEY: '' },
      { DATABASE_URL: '', DATA_DIR: join(home, 'absent', 'deep'), SECRET_KEY: '' },
    ]) {
      expect((await examine(environment)).code).toBe(0);
    }
    expect([await filesIn(home), await relations()]).toEqual(before);
  } finally {
    await empty.drop();
    await rm(home, { recursive: true });
  }
});

test('distinguishes the running service from another program on its port', async () => {
  const stranger = createServer().listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  const address = stranger.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const found = await examine({ PORT: port });
  expect([found.code, found.about('address')]).toEqual([1, expect.stringMatching(/^problem.*in use.*set PORT/)]);
  stranger.close();
  expect((await examine({ PORT: new URL(url).port })).about('address')).toMatch(/^ok.*the service is running/);
});
