import { createHash, randomBytes } from 'node:crypto';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { removeUnusedBytes } from '../../src/domain/content/garbage-collection/remove-unused-bytes.ts';
import { jobContext } from '../../src/platform/jobs/job.ts';
import type { Client, RestAnswer } from '../client.ts';
import { world } from '../world.ts';
import { startS3 } from './s3-service.ts';

vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER');
vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER');
const s3 = await startS3();
afterAll(() => s3.close());
afterEach(() => s3.heal());

vi.setConfig({ testTimeout: 180_000 });

/** So long that a busy machine answers within it. */
const LIMIT_MS = 3_000;
const service = await world({
  STORAGE_URL: `s3://blobs/docs?region=us-east-1&endpoint=${s3.url}`,
  STORAGE_TIMEOUT_MS: String(LIMIT_MS),
  DATABASE_POOL: '8',
  LOG_LEVEL: 'silent',
});
const { app, admin, anonymous, editor, outsider, organizationId, otherOrganizationId } = service;
const OCTETS = { 'content-type': 'application/octet-stream' };

const send = (bytes: Buffer, client: Client = editor, organization = organizationId) =>
  client.send('POST', `/v1/orgs/${organization}/uploads`, bytes, OCTETS);

/** Bytes that nobody has stored, sent in three parts. */
const large = () => randomBytes(11_000_000);

/** The path to download a file of a new space, with the bytes of an upload. */
async function stored(bytes: Buffer, name = 'a.bin'): Promise<string> {
  const { space } = await admin.mutate('createSpace', { organizationId }, 'space { id }');
  const upload = await send(bytes, admin);
  const changes = [{ insertFiles: { files: [{ name, uploadId: upload.body.id }] } }];
  await admin.mutate('updateSpaceContent', { spaceId: space.id, changes }, 'pageIds');
  const { body } = await admin.get(`/v1/spaces/${space.id}/content/files`);
  return new URL(body.items[0].downloadURL).pathname;
}

const expectUnavailable = ({ status, headers, body }: RestAnswer) => {
  expect([status, headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  expect(body).toMatchObject({ error: { code: 503 } });
};

/** Objects that belong to no file: incomplete ones. */
const incoming = async () => (await s3.keys()).filter((key) => key.includes('incoming'));

/** Nothing of an upload is left, and no connection to the database is in use. */
async function expectNothingLeft(): Promise<void> {
  expect([await incoming(), s3.unfinished()]).toEqual([[], 0]);
  expect(await readdir(join(app.services.config.dataDir, 'temporary')).catch(() => [])).toEqual([]);
  const reserved = app.services.db.selectFrom('upload').where('pendingBytes', '>', 0).select('id');
  expect(await reserved.execute()).toEqual([]);
}

test('answers that begin late within the limit are waited for', async () => {
  const path = await stored(Buffer.from('late'));
  s3.delay(/./, LIMIT_MS / 2);
  expect((await anonymous.get(path)).status).toBe(200);
  expect((await send(Buffer.from('late, too'))).status).toBe(201);
});

test('a bucket that never answers is 503 for downloads and uploads, after one repetition', async () => {
  const path = await stored(Buffer.from('hangs'));
  const begun = s3.requests.length;
  s3.hang(/./);
  for (const answer of await Promise.all([anonymous.get(path), send(Buffer.from('hangs, too'))]))
    expectUnavailable(answer);
  expect(s3.requests.slice(begun).filter((line) => line.startsWith('GET '))).toHaveLength(2);
  expect(s3.requests.slice(begun).filter((line) => line.startsWith('PUT '))).toHaveLength(2);
  s3.heal();
  expect((await anonymous.get(path)).status).toBe(200);
  await expectNothingLeft();
});

test.each([
  ['a file', () => randomBytes(150_000), 1],
  ['parts of a file', large, 3],
])(
  'an upload of %s that the bucket takes slowly but steadily succeeds at the first attempt',
  async (_what, bytes, requests) => {
    const begun = s3.requests.length;
    s3.accept(/^PUT .*incoming/, 3 * LIMIT_MS);
    expect((await send(bytes())).status).toBe(201);
    expect(s3.requests.slice(begun).filter((line) => line.startsWith('PUT /blobs/docs/incoming'))).toHaveLength(
      requests,
    );
    s3.heal();
    await expectNothingLeft();
  },
);

test('an upload that the bucket does not take is 503', async () => {
  s3.hang(/^PUT .*incoming/);
  expectUnavailable(await send(randomBytes(50_000)));
  s3.heal();
  await expectNothingLeft();
});

test('a download that trickles ends', async () => {
  const path = await stored(large(), 'trickle.bin');
  s3.trickle(/^GET /);
  const answer = await fetch(`${service.url}${path}`);
  expect(answer.status).toBe(200);
  await expect(answer.arrayBuffer()).rejects.toThrow();
  s3.heal();
  expect((await (await fetch(`${service.url}${path}`)).arrayBuffer()).byteLength).toBe(11_000_000);
});

test('a download whose reader pauses does not end', async () => {
  const path = await stored(large(), 'pause.bin');
  const trickling = await stored(large(), 'ends.bin');
  const { body } = await fetch(`${service.url}${path}`);
  const reader = body?.getReader();
  await reader?.read();
  // Pauses until the limit has ended a download that began later.
  s3.trickle(new RegExp(`^GET .*${trickling.split('/')[3]}`));
  await expect((await fetch(`${service.url}${trickling}`)).arrayBuffer()).rejects.toThrow();
  let size = 1;
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) size += part.value.length;
  expect(size).toBeGreaterThan(10_000_000);
});

test('errors at first and later are repeated, and then answered 503', async () => {
  s3.break(/^PUT /, 503, 2);
  expect((await send(Buffer.from('busy at first'))).status).toBe(201);
  s3.break(/^PUT .*partNumber=2/, 503);
  expectUnavailable(await send(large()));
  s3.heal();
  await expectNothingLeft();
});

test.each([
  ['a part', /^PUT .*partNumber=2/, large],
  ['the end of an upload in parts', /^POST .*[?&]uploadId=/, large],
  ['the copy', /^PUT \/blobs\/docs\/[0-9a-f]{2}\//, () => randomBytes(100)],
])('a connection that is reset at %s is 503, and leaves nothing', async (_what, pattern, bytes) => {
  s3.reset(pattern);
  expectUnavailable(await send(bytes()));
  s3.heal();
  await expectNothingLeft();
  s3.reset(pattern, 1);
  expect((await send(bytes())).status).toBe(201);
});

test('commands and imports that read files are answered 503, and change nothing', async () => {
  const { space } = await admin.mutate('createSpace', { organizationId }, 'space { id }');
  const { body: upload } = await send(Buffer.from('a file'), admin);
  const before = (await admin.get(`/v1/spaces/${space.id}`)).body.revision;
  s3.break(/^GET /, 500);
  const changes = [{ insertFiles: { files: [{ name: 'a.txt', uploadId: upload.id }] } }];
  const edit = admin.mutate('updateSpaceContent', { spaceId: space.id, changes }, 'pageIds');
  await expect(edit).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expectUnavailable(await admin.post(`/v1/spaces/${space.id}/content/import`, { source: 'zip', url: upload.id }));
  s3.break(/^PUT /, 500);
  const base64 = [{ insertFiles: { files: [{ name: 'b.txt', base64: Buffer.from('b').toString('base64') }] } }];
  const insert = admin.mutate('updateSpaceContent', { spaceId: space.id, changes: base64 }, 'pageIds');
  await expect(insert).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  s3.heal();
  expect((await admin.get(`/v1/spaces/${space.id}`)).body.revision).toBe(before);
  await expectNothingLeft();
});

test('a bucket that hangs leaves the service ready, and delays no other request', async () => {
  const begun = s3.requests.length;
  s3.hang(/^PUT \/blobs\/docs\/[0-9a-f]{2}\//);
  // More than the pool has connections.
  const uploads = Array.from({ length: 12 }, (_, index) => send(Buffer.from(`hangs ${index}`)));
  await expect
    .poll(() => s3.requests.slice(begun).filter((line) => line.includes('PUT /blobs/docs/incoming')).length)
    .toBe(12);
  const others = await Promise.all(Array.from({ length: 20 }, () => outsider.get(`/v1/orgs/${otherOrganizationId}`)));
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await anonymous.get('/readyz')).status).toBe(200);
  for (const answer of await Promise.all(uploads)) expectUnavailable(answer);
  s3.heal();
  await expectNothingLeft();
});

test('a client that leaves ends the request to the bucket', async () => {
  const path = await stored(large(), 'left.bin');
  for (let round = 0; round < 5; round += 1) {
    const abort = new AbortController();
    const answer = await fetch(`${service.url}${path}`, { signal: abort.signal });
    const reader = answer.body?.getReader();
    await reader?.read();
    abort.abort();
  }
  // Those that are kept for later requests are few.
  await expect.poll(() => s3.connections()).toBeLessThan(5);
});

test('what failed clean-ups have left is removed a day later, and nothing younger', async () => {
  s3.break(/^PUT .*partNumber=2/, 403);
  s3.break(/^DELETE /, 403);
  await send(large());
  s3.break(/^PUT \/blobs\/docs\/[0-9a-f]{2}\//, 403);
  await send(Buffer.from('left behind'));
  s3.heal();
  expect([(await incoming()).length, s3.unfinished()]).toEqual([1, 1]);
  const run = () =>
    removeUnusedBytes.run(
      jobContext(app.services, 'job-test'),
      {},
      { signal: new AbortController().signal, retries: 0 },
    );
  await run();
  expect([(await incoming()).length, s3.unfinished()]).toEqual([1, 1]);
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  const names = await readdir(s3.directory, { recursive: true });
  for (const name of names) {
    if (/incoming.*_object$|uploads\/.*\/key$/.test(name)) await utimes(join(s3.directory, name), yesterday, yesterday);
  }
  await run();
  await expectNothingLeft();
});

test('garbage collection ends with an error of the bucket, and goes on the next time', async () => {
  const run = () =>
    removeUnusedBytes.run(
      jobContext(app.services, 'job-test'),
      {},
      { signal: new AbortController().signal, retries: 0 },
    );
  const path = await stored(Buffer.from('still used'));
  s3.break(/^GET .*list-type/, 503);
  await expect(run()).rejects.toMatchObject({ $metadata: { httpStatusCode: 503 } });
  s3.heal();
  await run();
  expect((await anonymous.get(path)).body).toBe('still used');
  expect(createHash('sha256').update('still used').digest('hex')).toBe(path.split('/')[3]);
});
