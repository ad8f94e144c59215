import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { ApiError } from '../../src/platform/errors/errors.ts';
import { streamBody } from '../../src/platform/http/limits/streamed-body.ts';
import { directoryStorage } from '../../src/platform/storage/directory-storage.ts';

const LIMIT = 100_000;
const MEGABYTE = 1_000_000;

const directory = await mkdtemp(join(tmpdir(), 'stemma-body-'));
const storage = directoryStorage(directory);
const apiErrors: unknown[] = [];

const server = Fastify();
server.removeAllContentTypeParsers();
server.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
server.post('/', (request) =>
  streamBody(request, LIMIT, async (bytes) => ({ size: (await storage.write(bytes, LIMIT)).size })),
);
server.setErrorHandler((error, _request, reply) => {
  apiErrors.push(error);
  return reply.status(error instanceof ApiError ? error.status : 500).send({ message: String(error) });
});
const url = await server.listen({ port: 0 });

afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true, force: true });
});

/** A body of unknown length. */
const chunked = (bytes: number) =>
  Readable.toWeb(Readable.from(Array.from({ length: bytes / 10_000 }, () => Buffer.alloc(10_000, 7))));

const post = (body: unknown) => fetch(url, { method: 'POST', body, duplex: 'half' } as RequestInit);

const incoming = () => readdir(join(directory, 'incoming'));

test('accepts a body up to the limit', async () => {
  const response = await post(chunked(LIMIT));
  expect([response.status, await response.json()]).toEqual([200, { size: LIMIT }]);
  expect(await (await post(undefined)).json()).toEqual({ size: 0 });
});

test('responds to a client that exceeds the limit, and keeps nothing', async () => {
  for (let count = 0; count < 5; count++) {
    const response = await post(chunked(5 * MEGABYTE));
    expect([response.status, await response.json()]).toMatchObject([
      413,
      { message: expect.stringContaining('100000') },
    ]);
  }
  expect(await incoming()).toEqual([]);
});

test('refuses a declared length over the limit before the body arrives', async () => {
  const response = await post(Buffer.alloc(5 * MEGABYTE));
  expect(response.status).toBe(413);
});

test('serves further requests on the connection of a refused one', async () => {
  const statuses: (number | undefined)[] = [];
  const { Agent } = await import('node:http');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (const size of [LIMIT * 2, 10]) {
    statuses.push(
      await new Promise<number | undefined>((resolve, reject) => {
        const request = httpRequest(url, { method: 'POST', agent }, (response) => {
          response.resume().once('end', () => resolve(response.statusCode));
        });
        request.once('error', reject).end(Buffer.alloc(size));
      }),
    );
  }
  agent.destroy();
  expect(statuses).toEqual([413, 200]);
});

test('treats an aborted body as a client error, and keeps nothing', async () => {
  apiErrors.length = 0;
  const request = httpRequest(url, { method: 'POST', headers: { 'content-length': LIMIT } });
  request.on('error', () => {});
  request.write(Buffer.alloc(10_000));
  await expect.poll(incoming).toHaveLength(1);
  request.destroy();
  await expect.poll(() => apiErrors).toMatchObject([{ code: 'BAD_USER_INPUT' }]);
  expect(await incoming()).toEqual([]);
});
