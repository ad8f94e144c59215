import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { downloadUrl } from '../../../src/domain/content/files/index.ts';
import { world } from '../../world.ts';
import { contextOf, fileOf } from './content.ts';
import { png } from './images.ts';

const service = await world();
const { app, url, organizationId, otherOrganizationId, admin, anonymous } = service;
const ctx = contextOf(service, admin);

/** The download URL of new bytes under a name, with the port that the test listens on. */
async function addressOf(name: string, bytes: string | Uint8Array): Promise<string> {
  const { blob } = await fileOf(ctx, organizationId, name, bytes);
  return downloadUrl(ctx, organizationId, blob, name).replace(app.services.config.publicUrl, url);
}

const get = (address: string, headers: Record<string, string> = {}) =>
  anonymous.send('GET', address, undefined, headers);

const digits = await addressOf('digits.txt', '0123456789');

test('responds without a token, immutably, with the detected media type', async () => {
  const { status, headers, body } = await get(digits);
  expect(status).toBe(200);
  expect(body).toBe('0123456789');
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'content-length': '10',
    'cache-control': 'public, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
  });
});

test('responds to HEAD with the same headers and no body', async () => {
  const { status, headers, body } = await anonymous.send('HEAD', digits, undefined, { range: 'bytes=0-1' });
  expect([status, body, headers.get('content-length')]).toEqual([200, '', '10']);
  expect(headers.get('etag')).toBe((await get(digits)).headers.get('etag'));
});

test.each([
  ['another signature', (address: string) => address.replace(/\/[^/]{22}\//, '/AAAAAAAAAAAAAAAAAAAAAA/')],
  ['another name', (address: string) => address.replace('digits.txt', 'digits.html')],
  ['another organization', (address: string) => address.replace(organizationId, otherOrganizationId)],
  ['another hash', (address: string) => address.replace(/[0-9a-f]{64}/, (hash) => hash.split('').reverse().join(''))],
  ['no name', (address: string) => address.replace('digits.txt', '')],
])('does not find a URL with %s', async (_what, altered) => {
  const { status, headers } = await get(altered(digits));
  expect(status).toBe(404);
  expect(headers.get('cache-control')).toBe('no-store');
});

test('does not find bytes of other organizations', async () => {
  const { blob } = await fileOf(ctx, organizationId, 'a', 'only here');
  const address = downloadUrl(ctx, otherOrganizationId, blob, 'a').replace(app.services.config.publicUrl, url);
  expect((await get(address)).status).toBe(404);
});

test('only allows GET and HEAD', async () => {
  expect((await anonymous.send('POST', digits)).status).toBe(405);
});

describe('how browsers treat a file', () => {
  test('keeps any file name', async () => {
    const { status, headers } = await get(await addressOf('50% "of" – ä;b\\c.png', png(2, 2)));
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe(
      `inline; filename="50_ _of_ _ _;b_c.png"; filename*=UTF-8''50%25%20%22of%22%20%E2%80%93%20%C3%A4%3Bb%5Cc.png`,
    );
  });
});

describe('ranges (RFC 9110, 14)', () => {
  test.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=-99', '0123456789', 'bytes 0-9/10'],
    ['bytes=9-99999999999999999999', '9', 'bytes 9-9/10'],
    ['Bytes=4-4', '4', 'bytes 4-4/10'],
  ])('%s is %s', async (range, bytes, contentRange) => {
    const { status, headers, body } = await get(digits, { range });
    expect([status, body, headers.get('content-range')]).toEqual([206, bytes, contentRange]);
    expect(headers.get('content-length')).toBe(String(bytes.length));
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  test.each(['bytes=10-', 'bytes=10-20', 'bytes=-0'])('%s starts past the end', async (range) => {
    const { status, headers, body } = await get(digits, { range });
    expect([status, headers.get('content-range'), body]).toEqual([416, 'bytes */10', '']);
  });

  test.each(['bytes=3-1', 'bytes=a-b', 'bytes=-', 'lines=0-1', 'bytes=0-1,4-5', 'bytes 0-1'])(
    '%s is ignored',
    async (range) => {
      const { status, body } = await get(digits, { range });
      expect([status, body]).toEqual([200, '0123456789']);
    },
  );

  test('are only returned if If-Range matches the bytes', async () => {
    const etag = (await get(digits)).headers.get('etag') ?? '';
    const range = 'bytes=0-0';
    expect((await get(digits, { range, 'if-range': etag })).status).toBe(206);
    for (const other of [`W/${etag}`, '"other"', 'Wed, 21 Oct 2026 07:28:00 GMT']) {
      expect((await get(digits, { range, 'if-range': other })).status).toBe(200);
    }
  });

  test('of an empty file are the whole file, or not satisfiable', async () => {
    const empty = await addressOf('empty', '');
    expect((await get(empty)).headers.get('content-length')).toBe('0');
    expect((await get(empty, { range: 'bytes=-5' })).status).toBe(200);
    expect((await get(empty, { range: 'bytes=0-' })).status).toBe(416);
  });
});

test('responds with 304 to a client that has the bytes', async () => {
  const etag = (await get(digits)).headers.get('etag') ?? '';
  for (const has of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const { status, headers, body } = await get(digits, { 'if-none-match': has, range: 'bytes=0-1' });
    expect([status, body, headers.get('etag')]).toEqual([304, '', etag]);
    expect(headers.get('cache-control')).toContain('immutable');
  }
  expect((await get(digits, { 'if-none-match': '"other"' })).status).toBe(200);
  expect((await anonymous.send('HEAD', digits, undefined, { 'if-none-match': etag })).status).toBe(304);
});

test('closes the file when the client disconnects', async () => {
  const address = await addressOf('large.bin', Buffer.alloc(1_000_000, 1));
  await new Promise<void>((resolve) => {
    httpRequest(address, (response) => response.once('data', () => response.destroy()))
      .on('close', resolve)
      .end();
  });
  expect((await get(address)).body).toHaveLength(1_000_000);
});
