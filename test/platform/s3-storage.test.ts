import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { unavailabilityOf } from '../../src/platform/database/unavailable.ts';
import { type OpenStorage, openStorage } from '../../src/platform/storage/open-storage.ts';
import { readStorageLocation } from '../../src/platform/storage/storage-location.ts';
import { type S3Service, startS3 } from './s3-service.ts';

let temporary: string;
let s3: S3Service;
let opened: OpenStorage[];

beforeEach(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'stemma-s3-storage-'));
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER');
  s3 = await startS3();
  opened = [];
});

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const { close } of opened) close();
  await s3.close();
  await rm(temporary, { recursive: true, force: true });
});

async function open(place = 'blobs', endpoint = s3.url) {
  const location = readStorageLocation(`s3://${place}?region=us-east-1&endpoint=${endpoint}`);
  const made = await openStorage(location, { temporaryDirectory: temporary, timeoutMs: 15_000 });
  opened.push(made);
  return made.storage;
}

const large = () => Readable.from(Array.from({ length: 12 }, (_, index) => Buffer.alloc(1_000_000, index)));
const small = () => Readable.from([Buffer.from('small')]);

/** Requests that put, copy or remove something. */
const writes = () => s3.requests.filter((line) => !line.startsWith('GET')).map((line) => line.replace(/\?.*/, ''));

test('puts bytes under a temporary key, copies them to their own and removes the first', async () => {
  const { hash } = await (await open('blobs/docs')).write(small(), 10);
  const name = hash.toString('hex');
  const key = `docs/${name.slice(0, 2)}/${name}`;
  expect(await s3.keys()).toEqual([key]);
  const [put, copy, remove] = writes();
  expect(put).toMatch(/^PUT \/blobs\/docs\/incoming\/[0-9a-f-]{36}$/);
  expect([copy, remove]).toEqual([`PUT /blobs/${key}`, put?.replace('PUT', 'DELETE')]);
  expect(writes().length).toBe(3);
});

test('tries again when the service is busy for a moment', async () => {
  s3.break(/^PUT .*partNumber=2/, 503, 1);
  s3.break(/^POST .*[?&]uploadId=/, 500, 1);
  const storage = await open();
  const { hash, size } = await storage.write(large(), 100_000_000);
  expect(size).toBe(12_000_000);
  expect((await buffer((await storage.read(hash)) ?? small())).length).toBe(size);
});

test.each([
  ['a part is refused', /^PUT .*partNumber=2/],
  ['an upload can not be completed', /^POST .*[?&]uploadId=/],
  ['the copy is refused', /^PUT \/blobs\/[0-9a-f]{2}\//],
])('leaves nothing when %s', async (_what, pattern) => {
  s3.break(pattern, 403);
  await expect((await open()).write(large(), 100_000_000)).rejects.toMatchObject({
    $metadata: { httpStatusCode: 403 },
  });
  expect(await s3.keys()).toEqual([]);
  expect(s3.unfinished()).toBe(0);
});

test('tells what broke, and not what failed in cleaning up', async () => {
  s3.break(/^DELETE /, 405);
  const breaking = Readable.from(
    (function* () {
      yield* Array.from({ length: 12 }, () => Buffer.alloc(1_000_000));
      throw new Error('the line went dead');
    })(),
  );
  await expect((await open()).write(breaking, 100_000_000)).rejects.toThrow('the line went dead');
});

test('keeps what is stored though the temporary object stays', async () => {
  s3.break(/^DELETE /, 403);
  const storage = await open();
  const { hash } = await storage.write(small(), 10);
  expect((await buffer((await storage.read(hash)) ?? large())).toString()).toBe('small');
});

test('tells a missing object from a missing bucket, an API error and a service that is away', async () => {
  const hash = Buffer.alloc(32);
  expect(await (await open()).read(hash)).toBeUndefined();
  await expect((await open('elsewhere')).read(hash)).rejects.toMatchObject({ name: 'NoSuchBucket' });
  await expect((await open('blobs', 'http://127.0.0.1:9')).read(hash)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  s3.break(/^GET /, 403);
  await expect((await open()).read(hash)).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
});

test('leaves no file behind when lending one fails', async () => {
  const storage = await open();
  const { hash } = await storage.write(large(), 100_000_000);
  s3.cut(/^GET /);
  await expect(storage.localFile(hash)).rejects.toThrow();
  expect(await readdir(temporary)).toEqual([]);
});

test('a full service is INSUFFICIENT_STORAGE', async () => {
  const storage = await open();
  s3.break(/^(?:PUT|POST) .*incoming/, 507, 20);
  const error = await storage.write(small(), 1_000).catch((thrown) => thrown);
  expect(unavailabilityOf(error)).toMatchObject({ code: 'INSUFFICIENT_STORAGE' });
});

test('a service that fails, throttles or cannot be reached is SERVICE_UNAVAILABLE', async () => {
  const storage = await open();
  const { hash } = await storage.write(small(), 10);
  const failure = () => storage.read(hash).catch((thrown) => thrown);
  for (const status of [503, 429]) {
    s3.break(/^GET /, status, 3); // as often as the client tries
    expect(unavailabilityOf(await failure())).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  }
  const elsewhere = await open('blobs', 'http://127.0.0.1:1');
  const unreachable = await elsewhere.read(hash).catch((thrown) => thrown);
  expect(unavailabilityOf(unreachable)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('missing and refused credentials are internal errors, since they do not pass', async () => {
  const storage = await open();
  const { hash } = await storage.write(small(), 10);
  s3.break(/^GET /, 403, 1);
  const refused = await storage.read(hash).catch((thrown) => thrown);
  expect(unavailabilityOf(refused)).toBeUndefined();
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, undefined);
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(temporary, 'absent'));
  vi.stubEnv('AWS_CONFIG_FILE', join(temporary, 'absent'));
  const without = await open();
  const missing = await without.read(hash).catch((thrown) => thrown);
  expect(missing).toMatchObject({ name: 'CredentialsProviderError' });
  expect(unavailabilityOf(missing)).toBeUndefined();
});

test('of errors of the client without an answer of the service, only timeouts are SERVICE_UNAVAILABLE', () => {
  const failed = (name: string) => Object.assign(new Error('failed'), { name, $metadata: { attempts: 3 } });
  expect(unavailabilityOf(failed('TimeoutError'))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  for (const name of ['Error', 'CredentialsProviderError']) expect(unavailabilityOf(failed(name))).toBeUndefined();
});
