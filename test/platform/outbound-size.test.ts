import type { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { makeGuardedFetch } from '../../src/platform/outbound/guarded-fetch.ts';
import { serve } from './outbound-server.ts';

const fetch = makeGuardedFetch({ timeoutMs: 5_000, allows: () => true });

afterAll(() => fetch.close());

/** Asks a server that sends these bytes in this coding, in chunks of unknown length. */
async function answer(bytes: Buffer | string, encoding = 'identity', maxBytes = 1_000): Promise<Readable> {
  const { url } = await serve((_request, response) => {
    response.setHeader('content-encoding', encoding);
    response.write(bytes);
    response.end();
  });
  return (await fetch({ url, maxBytes })).body;
}

test('takes as many bytes as are allowed, and not one more', async () => {
  expect((await buffer(await answer(Buffer.alloc(1_000)))).length).toBe(1_000);
  await expect(buffer(await answer(Buffer.alloc(1_001)))).rejects.toMatchObject({
    name: 'OutboundError',
    code: 'TOO_LARGE',
  });
});

test('refuses a length that is announced to be too large before reading', async () => {
  const { url } = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '1001' }).write('x');
  });
  await expect(fetch({ url, maxBytes: 1_000 })).rejects.toMatchObject({ code: 'TOO_LARGE' });
  const head = await fetch({ url: (await lengthOnly()).url, method: 'HEAD', maxBytes: 1_000 });
  expect(head.headers['content-length']).toBe('1001');
});

const lengthOnly = () => serve((_request, response) => response.writeHead(200, { 'content-length': '1001' }).end());

test('stops a server that never stops', async () => {
  let sent = 0;
  const { url } = await serve((_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
    };
    response.on('drain', more);
    more();
  });
  const { body } = await fetch({ url, maxBytes: 1_000_000 });
  await expect(buffer(body)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  expect(sent).toBeLessThan(50_000_000);
});

test.each([
  ['gzip', gzipSync],
  ['X-GZIP', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['deflate, gzip', (bytes: Buffer) => gzipSync(deflateSync(bytes))],
] as const)('undoes %s, and counts what comes out', async (encoding, compress) => {
  expect(await text(await answer(compress(Buffer.from('thé')), encoding))).toBe('thé');
  const small = compress(Buffer.alloc(1_001));
  expect(small.length).toBeLessThan(100);
  await expect(buffer(await answer(small, encoding))).rejects.toMatchObject({ code: 'TOO_LARGE' });
});

test('does not inflate a decompression bomb', async () => {
  const bomb = gzipSync(Buffer.alloc(200_000_000));
  const doubled = gzipSync(bomb);
  expect(doubled.length).toBeLessThan(5_000);
  const before = process.memoryUsage().arrayBuffers;
  const failing = buffer(await answer(doubled, 'gzip, gzip', 10_000_000));
  await expect(failing).rejects.toMatchObject({ code: 'TOO_LARGE' });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60_000_000);
});

test.each([
  ['gzip, gzip, gzip', gzipSync('x')],
  ['zstd', Buffer.from('x')],
  ['constructor', Buffer.from('x')],
])('refuses the coding "%s"', async (encoding, bytes) => {
  await expect(answer(bytes, encoding)).rejects.toMatchObject({ code: 'FETCH_ERROR' });
});

test('fails when compressed bytes are broken or a body ends early', async () => {
  const whole = gzipSync(Buffer.alloc(10_000, 'thé'));
  await expect(buffer(await answer(whole.subarray(0, 30), 'gzip', 20_000))).rejects.toMatchObject({
    code: 'FETCH_ERROR',
  });
  await expect(buffer(await answer('not gzip', 'gzip'))).rejects.toMatchObject({ code: 'FETCH_ERROR' });
  const { url } = await serve((request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('x', () => request.socket.destroy());
  });
  const { body } = await fetch({ url, maxBytes: 1_000 });
  await expect(buffer(body)).rejects.toMatchObject({ name: 'OutboundError', code: 'FETCH_ERROR' });
});

test('reads answers without a body whatever coding they claim', async () => {
  const { url } = await serve((_request, response) => response.writeHead(204, { 'content-encoding': 'gzip' }).end());
  expect(await text((await fetch({ url, maxBytes: 10 })).body)).toBe('');
  const empty = await serve((_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': 0 }).end(),
  );
  expect(await text((await fetch({ url: empty.url, maxBytes: 10 })).body)).toBe('');
});

test('releases the connection when the reader stops', async () => {
  const closed = Promise.withResolvers<void>();
  const { url } = await serve((_request, response) => {
    response.on('close', closed.resolve);
    response.write('first');
  });
  const { body } = await fetch({ url, maxBytes: 1_000 });
  for await (const _chunk of body) break;
  await closed.promise;
});
