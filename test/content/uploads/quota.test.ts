import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { world } from '../../world.ts';

const { app, url, reader, editor, commenter, anonymous, advance, organizationId } = await world({
  UPLOAD_QUOTA_MB: '1',
});

const MEGABYTE = 1_000_000;
const DAY = 24 * 60 * 60 * 1000;
const PATIENCE = { timeout: 20_000 };

const post = (client: typeof reader, size: number) =>
  client.send('POST', `/v1/orgs/${organizationId}/uploads`, Buffer.alloc(size, 'a'), {
    'content-type': 'application/octet-stream',
  });

test('the uploads of a user share a quota, which is released when they expire', async () => {
  expect((await post(reader, 0.6 * MEGABYTE)).status).toBe(201);
  const over = await post(reader, 0.5 * MEGABYTE);
  expect(over.status).toBe(413);
  expect((await post(editor, 0.5 * MEGABYTE)).status).toBe(201);
  expect((await post(reader, 0.4 * MEGABYTE)).status).toBe(201);
  const full = await post(reader, 1);
  expect([full.status, full.body.error.message]).toEqual([413, expect.stringContaining('and 0 are left')]);
  advance(DAY + 1);
  expect((await post(reader, 0.9 * MEGABYTE)).status).toBe(201);
  advance(DAY + 1);
});

test('parallel uploads do not exceed the quota together', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, () => post(reader, 0.3 * MEGABYTE)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(answers.filter(({ status }) => status === 413)).toHaveLength(3);
});

test('limits the number of uploads to 1,000, with or without content', async () => {
  const { db } = app.services;
  const { upload } = await editor.mutate('createUpload', { organizationId }, 'upload { id }');
  const row = await db.selectFrom('upload').where('id', '=', upload.id).selectAll().executeTakeFirstOrThrow();
  const more = Array.from({ length: 999 }, (_, index) => ({ ...row, id: `${row.id.slice(0, -4)}${1_000 + index}` }));
  await db.insertInto('upload').values(more).execute();
  const refused = editor.mutate('createUpload', { organizationId }, 'upload { id }');
  await expect(refused).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
});

test('an upload can be repeated when there is no room for it again', async () => {
  advance(2 * DAY);
  const repeatable = (letter: string) =>
    reader.send('POST', `/v1/orgs/${organizationId}/uploads`, Buffer.alloc(0.6 * MEGABYTE, letter), {
      'content-type': 'application/octet-stream',
      'idempotency-key': 'upload',
    });
  const first = await repeatable('a');
  expect(first.status).toBe(201);
  const again = await repeatable('a');
  expect([again.status, again.body.id]).toEqual([201, first.body.id]);
  expect((await repeatable('b')).status).toBe(409);
  expect(await reservedBy(reader)).toBe(0);
  expect((await post(reader, 0.4 * MEGABYTE)).status).toBe(201);
  advance(2 * DAY);
});

/** Sends the first bytes of an upload and leaves the request open. */
function sendSlowly(client: typeof reader, first: number, declared?: number) {
  const request = httpRequest(`${url}/v1/orgs/${organizationId}/uploads`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${client.token}`,
      ...(declared === undefined ? {} : { 'content-length': declared }),
    },
  });
  const answered = new Promise<number | string>((resolve) => {
    request.on('response', (response) => resolve(response.resume().statusCode ?? 0));
    request.on('error', (error) => resolve(error.name));
  });
  request.write(Buffer.alloc(first, 'b'));
  return { request, answered };
}

const { services } = app;
const reservedBy = async ({ userId }: typeof reader): Promise<number> => {
  const { bytes } = await services.db
    .selectFrom('upload')
    .where('userId', '=', userId)
    .select(({ fn }) => fn.sum<string | null>('pendingBytes').as('bytes'))
    .executeTakeFirstOrThrow();
  return Number(bytes);
};

/** Names of all files in storage, including incomplete ones. */
const filesOnDisk = async () => {
  const location = services.config.storage;
  if (location.kind !== 'directory') throw new Error('Tests store in a directory.');
  const entries = await readdir(location.path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
};

test.each([
  ['of a declared length', 900_000],
  ['of unknown length', undefined],
])('bytes %s count while they arrive, and are removed when the request breaks off', async (_name, declared) => {
  advance(2 * DAY);
  const before = await filesOnDisk();
  const { request, answered } = sendSlowly(commenter, 200_000, declared);
  await expect.poll(() => reservedBy(commenter), PATIENCE).toBeGreaterThan(100_000);
  const meanwhile = await post(commenter, 0.5 * MEGABYTE);
  expect([meanwhile.status, meanwhile.body.error.message]).toEqual([413, expect.stringContaining('are left')]);
  request.destroy();
  await answered;
  await expect.poll(() => reservedBy(commenter), PATIENCE).toBe(0);
  await expect.poll(filesOnDisk, PATIENCE).toEqual(before);
  expect((await post(commenter, 0.9 * MEGABYTE)).status).toBe(201);
});

test('rejected bytes leave nothing behind, or count', async () => {
  advance(2 * DAY);
  const before = await filesOnDisk();
  expect((await post(commenter, 1.1 * MEGABYTE)).status).toBe(413);
  expect((await post(commenter, 0)).status).toBe(400);
  const { uploadUrl } = await commenter.mutate('createUpload', { organizationId }, 'uploadUrl');
  const put = (text: string) =>
    anonymous.send('PUT', uploadUrl.replace(services.config.publicUrl, url), Buffer.from(text), {
      'content-type': 'text/x',
    });
  const answers = await Promise.all([put('one of two'), put('two of two')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
  // What both have stored before one was rejected counts until the upload expires.
  const inVain = (await filesOnDisk()).length - before.length - 1;
  expect([0, 1]).toContain(inVain);
  expect(await reservedBy(commenter)).toBe(inVain * 'one of two'.length);
  expect((await put('later')).status).toBe(409);
  expect(await filesOnDisk()).toHaveLength(before.length + 1 + inVain);
  advance(2 * DAY);
});
