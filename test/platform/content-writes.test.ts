import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import yazl from 'yazl';
import { world } from '../world.ts';

const { app, admin, organizationId } = await world();
const { db } = app.services;

async function newSpace(): Promise<string> {
  const { body } = await admin.post(`/v1/orgs/${organizationId}/spaces`, { title: 'Imported', empty: true });
  return body.id;
}

async function uploadOf(markdown: string) {
  const zip = new yazl.ZipFile();
  zip.addBuffer(Buffer.from(markdown), 'README.md');
  zip.end();
  const headers = { 'content-type': 'application/zip' };
  const path = `/v1/orgs/${organizationId}/uploads`;
  return (await admin.send('POST', path, await buffer(zip.outputStream), headers)).body;
}

const revisionsOf = (spaceId: string) =>
  db.selectFrom('revision').where('spaceId', '=', spaceId).select('id').execute();

const versionOf = async (spaceId: string): Promise<string> =>
  (await admin.graphql('query($id: ID!) { space(id: $id) { version } }', { id: spaceId })).space.version;

test('a repeated import is answered without its archive', async () => {
  const spaceId = await newSpace();
  const upload = await uploadOf('# Start\n');
  const send = () =>
    admin.send(
      'POST',
      `/v1/spaces/${spaceId}/content/import`,
      { url: upload.url, source: 'zip' },
      {
        'idempotency-key': 'import',
      },
    );
  const first = await send();
  expect(first.status).toBe(201);
  await db.deleteFrom('upload').where('id', '=', upload.id).execute();
  const again = await send();
  expect([again.status, again.body]).toEqual([201, first.body]);
  // REST does not continue as an import run by itself.
  const input = { spaceId, url: upload.url, source: 'ZIP', continueAsRun: false, idempotencyKey: 'import' };
  const { revision } = await admin.mutate('importSpaceContent', input, 'revision { id }');
  expect(revision.id).toBe(first.body.revision);
  expect(await revisionsOf(spaceId)).toHaveLength(2);
});

test('a content change expects the version of the space and creates another', async () => {
  const spaceId = await newSpace();
  const seen = await versionOf(spaceId);
  const changes = [{ insertPage: { title: 'Hello' } }];
  const change = (expectedVersion: string, idempotencyKey?: string) =>
    admin.mutate('updateSpaceContent', { spaceId, changes, expectedVersion, idempotencyKey }, 'revision { id }');
  const first = await change(seen, 'content');
  expect(await versionOf(spaceId)).not.toBe(seen);
  expect(await change(seen, 'content')).toEqual(first);
  await expect(change(seen)).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
  const { url } = await uploadOf('# Late\n');
  const input = { spaceId, url, source: 'ZIP', expectedVersion: seen };
  await expect(admin.mutate('importSpaceContent', input, 'revision { id }')).rejects.toMatchObject({
    code: 'PRECONDITION_FAILED',
  });
  expect(await revisionsOf(spaceId)).toHaveLength(2);
});

test('the same for a change request, by id and number', async () => {
  const spaceId = await newSpace();
  const { body, headers } = await admin.post(`/v1/spaces/${spaceId}/change-requests`, {});
  const etag = headers.get('etag') ?? '';
  const post = (name: string, ifMatch: string) =>
    admin.send(
      'POST',
      `/v1/spaces/${spaceId}/change-requests/${name}/content`,
      { changes: [{ operation: 'insert_page', title: 'Hello', document: {} }] },
      { 'if-match': ifMatch },
    );
  expect((await post(String(body.number), etag)).status).toBe(200);
  expect((await post(String(body.number), etag)).status).toBe(412);
  expect((await post(body.id, etag)).status).toBe(412);
});
