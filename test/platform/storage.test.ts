import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type OpenStorage, openStorage } from '../../src/platform/storage/open-storage.ts';
import { readStorageLocation } from '../../src/platform/storage/storage-location.ts';
import { type S3Service, startS3 } from './s3-service.ts';

const MB = 1_000_000;
const run = promisify(execFile);

let root: string;
let temporary: string;
let s3: S3Service;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'stemma-storage-'));
  temporary = join(root, 'temporary');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER');
  s3 = await startS3();
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await s3.close();
  await rm(root, { recursive: true, force: true });
});

const openAt = (url: string) =>
  openStorage(readStorageLocation(url), { temporaryDirectory: temporary, timeoutMs: 15_000 });

test('a directory and the files in it are for their owner alone', async () => {
  const place = join(root, 'owned');
  await mkdir(place, { mode: 0o755 });
  const { storage, close } = await openAt(`file://${place}`);
  await storage.write(Readable.from([Buffer.from('mine')]), MB);
  const incoming = await storage.receive(Readable.from([Buffer.from('on its way')]), MB);
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  const modes = await Promise.all(
    [place, ...entries.map((entry) => join(entry.parentPath, entry.name))].map(async (path) => {
      const found = await stat(path);
      return `${found.isDirectory() ? 'directory' : 'file'} ${(found.mode & 0o777).toString(8)}`;
    }),
  );
  expect(new Set(modes)).toEqual(new Set(['directory 700', 'file 600']));
  expect(modes.filter((mode) => mode === 'file 600')).toHaveLength(2);
  await incoming.discard();
  close();
});

/** Both storages, and the names of all that each holds. */
const kinds = {
  directory: {
    url: () => `file://${root}/blobs`,
    kept: async () => {
      const entries = await readdir(join(root, 'blobs'), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    },
  },
  s3: {
    url: () => `s3://blobs/a/place_for-files?region=us-east-1&endpoint=${s3.url}`,
    kept: async () => {
      expect(s3.unfinished()).toBe(0);
      return (await s3.keys()).map((key) => key.split('/').at(-1) ?? key);
    },
  },
};

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();

/** Chunks of different bytes, made while they are read. */
function* chunks(count: number, seed = 0): Generator<Buffer> {
  for (let index = 0; index < count; index += 1) yield Buffer.alloc(MB, `${seed}-${index};`);
}

describe.each(Object.entries(kinds))('storage in %s', (kind, { url, kept }) => {
  let opened: OpenStorage;

  beforeAll(async () => {
    opened = await openAt(url());
  });

  afterAll(() => opened.close());

  const write = (bytes: Iterable<Buffer> | AsyncIterable<Buffer>, maxBytes = 200 * MB) =>
    opened.storage.write(Readable.from(bytes, { objectMode: false }), maxBytes);

  const contentOf = async (hash: Buffer, range?: { start: number; end: number }) => {
    const stream = await opened.storage.read(hash, range);
    return stream ? (await buffer(stream)).toString() : undefined;
  };

  test('gives back what was written, by its hash', async () => {
    const stored = await write([Buffer.from('0123'), Buffer.from('456789')]);
    expect(stored).toEqual({ hash: sha256('0123456789'), size: 10 });
    expect(await contentOf(stored.hash)).toBe('0123456789');
    expect(await kept()).toContain(stored.hash.toString('hex'));
  });

  test('keeps nothing at all, and bytes that came in many parts', async () => {
    const nothing = await write([]);
    expect(nothing).toEqual({ hash: sha256(''), size: 0 });
    expect(await contentOf(nothing.hash)).toBe('');
    const large = Buffer.concat([...chunks(12)]);
    const { hash, size } = await write(chunks(12));
    expect({ hash, size }).toEqual({ hash: sha256(large), size: 12 * MB });
    expect(large.equals(await buffer((await opened.storage.read(hash)) ?? Readable.from([])))).toBe(true);
  });

  test('finds what was received once it is kept, and nothing of what was discarded', async () => {
    const [kept, dropped] = await Promise.all(
      ['kept', 'dropped'].map((text) => opened.storage.receive(Readable.from([Buffer.from(text)]), MB)),
    );
    if (!kept || !dropped) throw new Error('Both were received.');
    expect(await contentOf(kept.hash)).toBeUndefined();
    expect((await buffer(await kept.read({ start: 1, end: 2 }))).toString()).toBe('ep');
    await kept.keep();
    await kept.keep();
    expect((await buffer(await kept.read())).toString()).toBe('kept');
    await kept.discard();
    await dropped.discard();
    expect(await contentOf(kept.hash)).toBe('kept');
    expect(await contentOf(dropped.hash)).toBeUndefined();
  });

  test('reads from one byte to another, both counted', async () => {
    const { hash } = await write([Buffer.from('0123456789')]);
    // The service of these tests takes a last byte of 0 for none.
    const ranges = [
      [0, 1, '01'],
      [2, 4, '234'],
      [9, 9, '9'],
      [7, 100, '789'],
      [10, 12, ''],
    ] as const;
    for (const [start, end, text] of ranges) expect(await contentOf(hash, { start, end })).toBe(text);
  });

  test('knows nothing of what was not written', async () => {
    const hash = sha256('never');
    expect(await opened.storage.read(hash)).toBeUndefined();
    expect(await opened.storage.read(hash, { start: 0, end: 1 })).toBeUndefined();
    expect(await opened.storage.localFile(hash)).toBeUndefined();
  });

  test('keeps the same bytes once, however many write them at a time', async () => {
    const writes = Array.from({ length: 8 }, () => write(chunks(1, 8)));
    const [first, ...others] = await Promise.all(writes);
    for (const other of others) expect(other).toEqual(first);
    const name = first?.hash.toString('hex');
    expect((await kept()).filter((key) => key === name).length).toBe(1);
  });

  test('lends a file', async () => {
    const { hash } = await write([Buffer.from('on loan')]);
    const file = await opened.storage.localFile(hash);
    expect(await readFile(file?.path ?? '', 'utf8')).toBe('on loan');
    await file?.release();
    expect(await readdir(temporary).catch(() => [])).toEqual([]);
    expect(await contentOf(hash)).toBe('on loan');
  });

  test('takes as many bytes as are allowed, and leaves nothing of more', async () => {
    const before = await kept();
    expect((await write([Buffer.from('exact')], 5)).size).toBe(5);
    expect((await kept()).length).toBe(before.length + 1);
    const refused = { name: 'ApiError', code: 'PAYLOAD_TOO_LARGE' };
    await expect(write([Buffer.from('toolarge')], 7)).rejects.toMatchObject(refused);
    await expect(write(chunks(14, 1), 13 * MB)).rejects.toMatchObject(refused);
    expect((await kept()).length).toBe(before.length + 1);
  });

  test('leaves nothing of a stream that breaks', async () => {
    const before = await kept();
    for (const whole of [0, 1, 12]) {
      const breaking = async function* () {
        yield* chunks(whole, 2);
        throw new Error('the line went dead');
      };
      await expect(write(breaking())).rejects.toThrow('the line went dead');
      const cut = Readable.from(chunks(100, 3), { objectMode: false });
      let seen = 0;
      cut.on('data', () => {
        seen += 1;
        if (seen > whole) cut.destroy();
      });
      await expect(opened.storage.write(cut, 200 * MB)).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' });
    }
    expect(await kept()).toEqual(before);
  });

  test('streams 200 MB in, out and to a file without holding them', async () => {
    const { size, read, grown } = await streamed(url(), temporary, 200);
    expect({ size, read }).toEqual({ size: 200 * MB, read: 200 * MB });
    expect(grown, `${kind} held ${Math.round(grown / MB)} MB`).toBeLessThan(80 * MB);
  });
});

interface Streamed {
  size: number;
  read: number;
  grown: number;
}

/** What `stream-through-storage.ts` measures in a process of its own. */
async function streamed(url: string, temporaryDirectory: string, megabytes: number): Promise<Streamed> {
  const program = join(import.meta.dirname, 'stream-through-storage.ts');
  const { stdout } = await run(process.execPath, ['--expose-gc', program, url, temporaryDirectory, `${megabytes}`]);
  return JSON.parse(stdout) as Streamed; // written there
}
