import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { expect, test, vi } from 'vitest';
import { localFileOf, uploadFor } from '../../../src/domain/content/uploads/index.ts';
import { readUpload } from '../../../src/domain/sources/translations/exchange/exchange.ts';
import type { Actor } from '../../../src/platform/access/actor.ts';
import type { Context } from '../../../src/platform/context/context.ts';
import type { Client } from '../../client.ts';
import { world } from '../../world.ts';

const DAY = 24 * 60 * 60 * 1000;
const { app, url, advance, organizationId, otherOrganizationId, admin, reader, guest, outsider, anonymous } =
  await world();
const { config } = app.services;

const CREATE = 'upload { id name url isReceived expiresAt } uploadUrl';

const path = (query = '') => `/v1/orgs/${organizationId}/uploads${query}`;
const bytesOf = (text: string) => new TextEncoder().encode(text);

const post = (client: Client, body: string, query = '', headers: Record<string, string> = {}) =>
  client.send('POST', path(query), bytesOf(body), { 'content-type': 'image/png', ...headers });

/** The signed URL, with the port that the test listens on. */
const local = (uploadUrl: string) => uploadUrl.replace(config.publicUrl, url);

const put = (uploadUrl: string, body: string) =>
  anonymous.send('PUT', local(uploadUrl), bytesOf(body), { 'content-type': 'text/x' });

const contextOf = ({ userId }: Client): Context => {
  const actor: Actor = { kind: 'user', userId, isOperator: false, by: 'token' };
  const { em, db, log } = app.services;
  return { actor, em: em.fork(), db, services: app.services, requestId: 'test', log, inTransaction: false };
};

const rowOf = (id: string) =>
  app.services.db.selectFrom('upload').where('id', '=', id).selectAll().executeTakeFirstOrThrow();

test('accepts a raw body in REST and returns the URL of the upload', async () => {
  const before = Date.now();
  const { status, body } = await post(guest, 'some bytes', '?name=a%20b.png');
  expect(status).toBe(201);
  expect(body).toEqual({
    object: 'upload',
    id: expect.stringMatching(/^upload_/),
    url: `${config.publicUrl}/v1/uploads/${body.id}`,
    expiresAt: expect.any(String),
  });
  expect(Date.parse(body.expiresAt) - before).toBeGreaterThanOrEqual(DAY);
  expect(Date.parse(body.expiresAt) - before).toBeLessThan(DAY + 60_000);
  const row = await rowOf(body.id);
  expect(row).toMatchObject({ name: 'a b.png', userId: guest.userId, organizationId });
  expect(Buffer.from(row.blobHash ?? [])).toEqual(createHash('sha256').update('some bytes').digest());
  const { node } = await guest.graphql('query($id: ID!) { node(id: $id) { ... on Upload { name url isReceived } } }', {
    id: body.id,
  });
  expect(node).toEqual({ name: 'a b.png', url: body.url, isReceived: true });
});

test.each([
  ['attachment; filename="plan.pdf"', 'plan.pdf'],
  ['attachment; filename="_.pdf"; filename*=UTF-8\'\'pl%C3%A4ne.pdf', 'pläne.pdf'],
  ['attachment; filename="../../etc/passwd"', 'passwd'],
  ['attachment', null],
  ['nothing like it"', null],
])('reads the name from Content-Disposition: %s', async (header, name) => {
  const { body } = await post(reader, 'x', '', { 'content-disposition': header });
  expect(await rowOf(body.id)).toMatchObject({ name });
});

test('accepts a body without a content type, and rejects an empty one and an invalid name', async () => {
  const response = await fetch(`${url}${path()}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${reader.token}` },
    body: new Blob(['plain']).stream(),
    duplex: 'half',
  } as RequestInit);
  expect(response.status).toBe(201);
  expect((await reader.send('POST', path())).status).toBe(400);
  expect((await post(reader, '')).status).toBe(400);
  const { status, body } = await post(reader, 'x', '?name=a%2Fb');
  expect(status).toBe(400);
  expect(body.error.issues[0].path).toEqual(['name']);
});

test('rejects non-members before reading anything', async () => {
  expect((await post(outsider, 'x')).status).toBe(404);
  expect((await post(anonymous, 'x')).status).toBe(401);
  expect((await post(outsider, 'x', '?name=a%2Fb')).status).toBe(404);
  const input = { organizationId };
  await expect(outsider.mutate('createUpload', input, CREATE)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(anonymous.mutate('createUpload', input, CREATE)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

test('rejects uploads to a blocked organization', async () => {
  const { db } = app.services;
  const set = (blocked: { reason: string } | null) =>
    db
      .updateTable('organization')
      .set({ blocked: blocked as never })
      .where('id', '=', organizationId)
      .execute();
  await set({ reason: 'unpaid' });
  expect((await post(admin, 'x')).status).toBe(403);
  await set(null);
});

test('rejects a body with a declared size over 200 MB, and the client can read the response', async () => {
  const answer = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { authorization: `Bearer ${reader.token}`, 'content-length': String(200 * 1024 * 1024 + 1) };
    const request = httpRequest(`${url}${path()}`, { method: 'POST', headers }, (response) => {
      resolve(response.statusCode);
      request.destroy();
    });
    request.on('error', reject);
    request.write('the beginning');
  });
  expect(answer).toBe(413);
});

test('returns a URL in the graph that accepts the file without a token, once', async () => {
  const { upload, uploadUrl } = await reader.mutate('createUpload', { organizationId, name: 'site.zip' }, CREATE);
  expect(upload).toMatchObject({
    name: 'site.zip',
    isReceived: false,
    url: `${config.publicUrl}/v1/uploads/${upload.id}`,
  });
  expect(uploadUrl).toMatch(`${config.publicUrl}/uploads/${upload.id}?expires=`);
  expect((await put(uploadUrl, '')).status).toBe(400);
  expect((await put(uploadUrl, 'first')).status).toBe(204);
  expect((await put(uploadUrl, 'second')).status).toBe(409);
  const received = await uploadFor(contextOf(reader), organizationId, upload.id);
  expect([received.name, received.size]).toEqual(['site.zip', 5]);
  const localFile = await localFileOf(contextOf(reader), received);
  expect(await readFile(localFile.path, 'utf8')).toBe('first');
  await localFile.release();
});

test('accepts the file of one of two concurrent requests', async () => {
  const { uploadUrl } = await reader.mutate('createUpload', { organizationId }, CREATE);
  const answers = await Promise.all([put(uploadUrl, 'one'), put(uploadUrl, 'two')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
});

test('does not accept URLs with another signature, id or expiry time, nor expired ones', async () => {
  const { upload, uploadUrl } = await reader.mutate('createUpload', { organizationId }, CREATE);
  const other = await reader.mutate('createUpload', { organizationId }, CREATE);
  const address = new URL(uploadUrl);
  const expires = address.searchParams.get('expires') ?? '';
  const altered = [
    uploadUrl.replace(upload.id, other.upload.id),
    uploadUrl.replace(expires, String(Number(expires) + 1)),
    uploadUrl.slice(0, -1),
    `${address.origin}${address.pathname}`,
  ];
  for (const attempt of altered) expect((await put(attempt, 'x')).status).toBe(404);
  advance(DAY + 1_000);
  expect((await put(uploadUrl, 'x')).status).toBe(404);
  advance(-DAY - 1_000);
  expect((await put(uploadUrl, 'x')).status).toBe(204);
});

test('can be used by its uploader only, by id or URL, in its organization, for a day', async () => {
  const { body } = await post(reader, 'mine');
  const ctx = contextOf(reader);
  const byUrl = await uploadFor(ctx, organizationId, body.url);
  expect(byUrl.id).toBe(body.id);
  const refused = { code: 'BAD_USER_INPUT', issues: [{ path: ['url'] }] };
  await expect(uploadFor(contextOf(admin), organizationId, body.id)).rejects.toMatchObject(refused);
  await expect(uploadFor(ctx, otherOrganizationId, body.id)).rejects.toMatchObject(refused);
  await expect(uploadFor(ctx, organizationId, 'upload_01h455vb4pex5vsknk084sn02q')).rejects.toMatchObject(refused);
  await expect(uploadFor(ctx, organizationId, 'https://example.com/archive.zip')).rejects.toMatchObject(refused);
  const { upload } = await reader.mutate('createUpload', { organizationId }, CREATE);
  await expect(uploadFor(contextOf(reader), organizationId, upload.id)).rejects.toThrow('has no content yet');
  const { nodes } = await admin.graphql('query($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
    ids: [body.id, upload.id],
  });
  expect(nodes).toEqual([null, null]);
  advance(DAY + 1_000);
  await expect(uploadFor(contextOf(reader), organizationId, body.id)).rejects.toMatchObject(refused);
  advance(-DAY - 1_000);
});

test('starting an import run reads no bytes of its uploads, nor does refusing an upload that is too large', async () => {
  const reading = vi.spyOn(app.services.storage, 'localFile');
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Docs' }, 'space { id }');
  const { body: upload } = await post(admin, '# Page');
  const run = { source: { type: 'file', files: [upload.id] }, target: { space: space.id } };
  expect((await admin.post(`/v1/org/${organizationId}/imports`, run)).status).toBe(201);

  const size = 20 * 1024 * 1024 + 1;
  await app.services.db.updateTable('upload').set({ size }).where('id', '=', upload.id).execute();
  const changes = [{ insertFiles: { files: [{ name: 'large.bin', uploadId: upload.id }] } }];
  await expect(admin.mutate('updateSpaceContent', { spaceId: space.id, changes }, 'pageIds')).rejects.toThrow(
    'is larger than 20971520 bytes',
  );
  await expect(readUpload(contextOf(admin), organizationId, upload.id)).rejects.toThrow('up to 20000000');
  expect(reading).not.toHaveBeenCalled();
  reading.mockRestore();
});
