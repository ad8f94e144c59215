import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test, vi } from 'vitest';
import { downloadUrl } from '../../src/domain/content/files/index.ts';
import { localFileOf, uploadFor } from '../../src/domain/content/uploads/index.ts';
import { contextOf, fileOf } from '../content/files/content.ts';
import { png } from '../content/files/images.ts';
import { world } from '../world.ts';
import { serve } from './outbound-server.ts';
import { startS3 } from './s3-service.ts';

vi.stubEnv('AWS_ACCESS_KEY_ID', 'S3RVER');
vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'S3RVER');
const s3 = await startS3();
afterAll(() => s3.close());

const service = await world({
  STORAGE_URL: `s3://blobs/docs?region=us-east-1&endpoint=${s3.url}`,
  ALLOW_PRIVATE_NETWORK: '1',
  FETCH_TIMEOUT_MS: '300',
});
const { app, editor, anonymous, organizationId } = service;
const closed = await world();

const OCTETS = { 'content-type': 'application/octet-stream' };

test('a service with its files in a bucket takes, lends and serves them', async () => {
  const ctx = contextOf(service, editor);
  const { body } = await editor.send('POST', `/v1/orgs/${organizationId}/uploads`, Buffer.from('sent'), OCTETS);
  const localFile = await localFileOf(ctx, await uploadFor(ctx, organizationId, body.url));
  expect(await readFile(localFile.path, 'utf8')).toBe('sent');
  await localFile.release();

  const image = png(3, 2);
  const { blob, width, height } = await fileOf(ctx, organizationId, 'dot.png', image);
  expect([width, height]).toEqual([3, 2]);
  const { pathname } = new URL(downloadUrl(ctx, organizationId, blob, 'dot.png'));
  const whole = await anonymous.get(pathname);
  expect([whole.status, whole.headers.get('content-length')]).toEqual([200, String(image.length)]);
  const part = await anonymous.send('GET', pathname, undefined, { range: 'bytes=1-3' });
  expect([part.status, part.body]).toEqual([206, 'PNG']);

  expect((await s3.keys()).length).toBe(2);
  const { dataDir } = app.services.config;
  expect(await readdir(join(dataDir, 'temporary'))).toEqual([]);
  expect(await readdir(dataDir)).not.toContain('blobs');
});

test('while the bucket answers with errors, files are answered 503, and are served again afterwards', async () => {
  const ctx = contextOf(service, editor);
  const { blob } = await fileOf(ctx, organizationId, 'kept.png', png(4, 2));
  const { pathname } = new URL(downloadUrl(ctx, organizationId, blob, 'kept.png'));
  const before = await s3.keys();
  const attempts = 3; // of the SDK
  s3.break(/^GET /, 503, attempts);
  const download = await anonymous.get(pathname);
  expect([download.status, download.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  s3.break(/^PUT /, 500, attempts);
  const path = `/v1/orgs/${organizationId}/uploads`;
  const upload = await editor.send('POST', path, Buffer.from('refused'), OCTETS);
  expect([upload.status, upload.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  expect(await s3.keys()).toEqual(before);
  expect(s3.unfinished()).toBe(0);
  expect((await anonymous.get(pathname)).status).toBe(200);
  expect((await editor.send('POST', path, Buffer.from('taken'), OCTETS)).status).toBe(201);
});

test('a service reaches private addresses when its operator says so, and no sooner', async () => {
  const { url } = await serve((_request, response) => response.end('inside'));
  const { body } = await app.services.fetch({ url, maxBytes: 10 });
  expect(await text(body)).toBe('inside');
  await expect(closed.app.services.fetch({ url, maxBytes: 10 })).rejects.toMatchObject({ code: 'PRIVATE_ADDRESS' });
});

test('a service waits as long as the settings say', async () => {
  const { url } = await serve(() => {});
  await expect(app.services.fetch({ url, maxBytes: 10 })).rejects.toMatchObject({
    code: 'FETCH_TIMEOUT',
    message: 'The server did not complete its response within 300 ms.',
  });
});
