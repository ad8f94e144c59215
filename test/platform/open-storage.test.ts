import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStorage } from '../../src/platform/storage/open-storage.ts';
import { readStorageLocation } from '../../src/platform/storage/storage-location.ts';

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'stemma-open-storage-'));
});

afterAll(() => rm(root, { recursive: true, force: true }));

test.each([
  ['file:///var/lib/stem%20ma', { kind: 'directory', path: '/var/lib/stem ma' }],
  ['s3://files', { kind: 's3', bucket: 'files', prefix: '', region: undefined, endpoint: undefined }],
  ['s3://my.files-1/', { kind: 's3', bucket: 'my.files-1', prefix: '', region: undefined, endpoint: undefined }],
  [
    's3://files/docs/a_b/?region=eu-central-1&endpoint=http://minio:9000',
    { kind: 's3', bucket: 'files', prefix: 'docs/a_b/', region: 'eu-central-1', endpoint: 'http://minio:9000' },
  ],
])('reads %s', (text, location) => expect(readStorageLocation(text)).toEqual(location));

test.each([
  ['/var/lib/stemma', 'must be s3://'],
  ['https://files.example.com', 'must be s3://'],
  ['file://var/lib/stemma', 'must have three slashes'],
  ['s3:///docs', 'must name a bucket'],
  ['s3://Files', 'must name a bucket'],
  ['s3://files:9000/docs', 'must name a bucket'],
  ['s3://key:secret@files', 'must hold no keys'],
  ['s3://files?bucket=other', 'has the unknown part "bucket"'],
  ['s3://files?endpoint=minio:9000', 'must have an endpoint that begins with http'],
  ['s3://files/a%20b', 'must have a prefix of letters'],
])('refuses %s', (text, message) => {
  expect(() => readStorageLocation(text)).toThrow(message);
  expect(() => readStorageLocation(text)).not.toThrow('secret');
});

test.each(['directory', 's3'] as const)(
  '%s: removes what a killed process left, once it is a day old',
  async (kind) => {
    const left = kind === 'directory' ? join(root, 'blobs', 'incoming') : join(root, 'temporary');
    await mkdir(left, { recursive: true });
    for (const [name, hours] of [
      ['old', 25],
      ['recent', 23],
    ] as const) {
      await writeFile(join(left, name), 'x');
      const time = new Date(Date.now() - hours * 3_600_000);
      await utimes(join(left, name), time, time);
    }
    const location = readStorageLocation(kind === 'directory' ? `file://${root}/blobs` : 's3://files?region=us-east-1');
    (await openStorage(location, { temporaryDirectory: join(root, 'temporary'), timeoutMs: 15_000 })).close();
    expect(await readdir(left)).toEqual(['recent']);
  },
);
