import { expect, test } from 'vitest';
import { world } from '../world.ts';

const { app, reader, editor, advance, organizationId } = await world({ UPLOAD_QUOTA_MB: '1' });

const MEGABYTE = 1_000_000;
const DAY = 24 * 60 * 60 * 1000;

const post = (client: typeof reader, size: number) =>
  client.send('POST', `/v1/orgs/${organizationId}/uploads`, Buffer.alloc(size, 'a'), {
    'content-type': 'application/octet-stream',
  });

test('the uploads of one user hold a quota together, which comes back when they end', async () => {
  expect((await post(reader, 0.6 * MEGABYTE)).status).toBe(201);
  const over = await post(reader, 0.5 * MEGABYTE);
  expect(over.status).toBe(413);
  expect((await post(editor, 0.5 * MEGABYTE)).status).toBe(201);
  expect((await post(reader, 0.4 * MEGABYTE)).status).toBe(201);
  const full = await post(reader, 1);
  expect([full.status, full.body.error.message]).toEqual([413, expect.stringContaining('of which 0 are left')]);
  advance(DAY + 1);
  expect((await post(reader, 0.9 * MEGABYTE)).status).toBe(201);
  advance(DAY + 1);
});

test('parallel uploads do not exceed it together', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, () => post(reader, 0.3 * MEGABYTE)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(answers.filter(({ status }) => status === 413)).toHaveLength(3);
});

test('has at most a thousand uploads at a time, with or without bytes', async () => {
  const { db } = app.services;
  const { upload } = await editor.mutate('createUpload', { organizationId }, 'upload { id }');
  const row = await db.selectFrom('upload').where('id', '=', upload.id).selectAll().executeTakeFirstOrThrow();
  const more = Array.from({ length: 999 }, (_, index) => ({ ...row, id: `${row.id.slice(0, -4)}${1_000 + index}` }));
  await db.insertInto('upload').values(more).execute();
  const refused = editor.mutate('createUpload', { organizationId }, 'upload { id }');
  await expect(refused).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
});
