import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { world } from '../../world.ts';
import { aSpace, editBy, proposeBy } from './arrange.ts';

const { admin, editor, commenter, reader, outsider, anonymous, organizationId, url } = await world({
  ALLOW_PRIVATE_NETWORK: '1',
});
const { spaceId, pageId } = await aSpace(admin, organizationId);
const edit = editBy(spaceId);

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** The bytes at a download address, wherever the service believes to be. */
const download = (address: string) => fetch(`${url}${new URL(address).pathname}`);
const text = (content: string) => Buffer.from(content).toString('base64');
const files = async (path = `/v1/spaces/${spaceId}/content`) => (await reader.get(`${path}/files`)).body.items;
const byName = async (name: string) => (await files()).find((file: { name: string }) => file.name === name);

const elsewhere = createServer((request, response) => {
  if (request.url === '/pixel.png') return response.end(Buffer.from(PIXEL, 'base64'));
  if (request.url === '/endless') {
    const more = () => response.write(Buffer.alloc(1_000_000)) && setImmediate(more);
    response.on('drain', more);
    return more();
  }
  if (request.url === '/empty') return response.end();
  return response.writeHead(404).end();
}).listen(0);
const base = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
afterAll(() => {
  elsewhere.closeAllConnections();
  elsewhere.close();
});

test('inserts files from base64, a URL and an upload, with the media type of their bytes', async () => {
  const upload = await editor.send('POST', `/v1/orgs/${organizationId}/uploads`, Buffer.from('a,b\n1,2\n'), {
    'content-type': 'text/csv',
  });
  const { insertedFiles } = await edit(editor, [
    {
      insertFiles: {
        files: [
          { name: 'pixel.png', base64: PIXEL, contentType: 'text/html' },
          { name: 'fetched.png', url: `${base}/pixel.png` },
          { name: 'table.csv', url: upload.body.url },
          { name: 'again.csv', uploadId: upload.body.id },
        ],
      },
    },
  ]);
  expect(insertedFiles).toMatchObject([
    { name: 'pixel.png', contentType: 'image/png', size: 70, dimensions: { width: 1, height: 1 } },
    { name: 'fetched.png', contentType: 'image/png', size: 70 },
    { name: 'table.csv', contentType: 'text/csv', size: 8, dimensions: null },
    { name: 'again.csv', contentType: 'text/csv', size: 8, dimensions: null },
  ]);
  const listed = await files();
  expect(listed.map(({ id }: { id: string }) => id)).toEqual(
    insertedFiles.map((file: { fileId: string }) => file.fileId),
  );
  const { status, headers } = await download(listed[2].downloadURL);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
});

test('bodies, covers and links refer to a file of the same call by its ref, in any order', async () => {
  const markdown = '![Logo](file:logo)\n\n[Below](page:below) and [here](page:below#part).';
  const { pageIds, insertedFiles } = await edit(editor, [
    {
      insertPage: { title: 'Refs', ref: 'top', document: { markdown }, cover: { ref: { kind: 'file', file: 'logo' } } },
    },
    { insertFiles: { files: [{ name: 'logo.png', ref: 'logo', base64: PIXEL }] } },
    { insertPage: { title: 'Below', ref: 'below', parentId: 'top' } },
    { insertPage: { kind: 'LINK', title: 'Also', target: { kind: 'page', page: 'below' } } },
  ]);
  const { body } = await reader.get(
    `/v1/spaces/${spaceId}/content/page/${pageIds[0]}?format=markdown&format.markdown.refs=stable`,
  );
  expect(body.markdown).toContain(`/files/${insertedFiles[0].fileId}`);
  expect(body.markdown).toContain(`/pages/${pageIds[1]}`);
  expect(body.markdown).toContain(`/pages/${pageIds[1]}#part`);
  expect(body.cover.ref).toEqual({ kind: 'file', file: insertedFiles[0].fileId });
  const link = await reader.get(`/v1/spaces/${spaceId}/content/page/${pageIds[2]}`);
  expect(link.body.target).toEqual({ kind: 'page', page: pageIds[1] });
});

test('renames a file and replaces its bytes under the same id', async () => {
  const { insertedFiles } = await edit(editor, [
    { insertFiles: { files: [{ name: 'note.txt', base64: text('One.'), ref: 'note' }] } },
    { updateFile: { fileId: 'note', name: 'note.md' } },
  ]);
  const [{ fileId, contentType }] = insertedFiles;
  expect(contentType).toBe('text/markdown');
  await edit(editor, [{ updateFile: { fileId, name: 'note.txt' } }]);
  expect(await byName('note.txt')).toMatchObject({ id: fileId, contentType: 'text/plain', size: 4 });
  const before = await byName('note.txt');
  await edit(editor, [{ updateFile: { fileId, base64: text('Another.') } }]);
  const after = await byName('note.txt');
  expect(after).toMatchObject({ id: fileId, size: 8 });
  expect(await (await download(before.downloadURL)).text()).toBe('One.');
  expect(await (await download(after.downloadURL)).text()).toBe('Another.');
});

test('deletes a file, which earlier revisions keep', async () => {
  const { insertedFiles, revision } = await edit(editor, [
    { insertFiles: { files: [{ name: 'gone.txt', base64: text('x') }] } },
  ]);
  const [{ fileId }] = insertedFiles;
  await edit(editor, [{ deleteFile: { fileId } }]);
  expect((await reader.get(`/v1/spaces/${spaceId}/content/files/${fileId}`)).status).toBe(404);
  expect((await reader.get(`/v1/spaces/${spaceId}/revisions/${revision.id}/files/${fileId}`)).status).toBe(200);
});

test('a change request has its own files', async () => {
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id number }');
  const before = await files();
  await proposeBy(changeRequest.id)(editor, [{ insertFiles: { files: [{ name: 'new.txt', base64: text('n') }] } }]);
  expect(await files()).toEqual(before);
  const path = `/v1/spaces/${spaceId}/change-requests/${changeRequest.number}/content`;
  const listed = await files(path);
  expect(listed).toHaveLength(before.length + 1);
  expect((await reader.get(`${path}/files/${listed.at(-1).id}`)).body).toMatchObject({ name: 'new.txt' });
});

test('files of several megabytes come in base64, which is valid to its end', async () => {
  const bytes = Buffer.from(Array.from({ length: 2_500_001 }, (_, index) => (index * 7) % 251));
  const base64 = bytes.toString('base64');
  const { insertedFiles } = await edit(editor, [{ insertFiles: { files: [{ name: 'large.bin', base64 }] } }]);
  const { body } = await reader.get(`/v1/spaces/${spaceId}/content/files/${insertedFiles[0].fileId}`);
  expect(Buffer.from(await (await download(body.downloadURL)).arrayBuffer()).equals(bytes)).toBe(true);
  const before = await files();
  for (const at of [1_500_000, base64.length - 6]) {
    for (const wrong of ['*', '=']) {
      const broken = base64.slice(0, at) + wrong + base64.slice(at + 1);
      await expect(edit(editor, oneFile({ base64: broken }))).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    }
  }
  expect(await files()).toEqual(before);
});

test('REST takes the same in its words and answers what was inserted', async () => {
  const changes = [
    { operation: 'insert_files', files: [{ name: 'rest.txt', base64: text('r'), ref: 'r' }] },
    { operation: 'update_file', file: 'r', name: 'rest.md' },
    { operation: 'update_page', page: pageId, title: 'Docs by REST' },
  ];
  const { status, body } = await editor.post(`/v1/spaces/${spaceId}/content`, { changes });
  expect([status, body.insertedFiles]).toMatchObject([200, [{ name: 'rest.md', contentType: 'text/markdown' }]]);
  expect(body.changes).toMatchObject([{ object: 'updated_file' }, { object: 'updated_page' }]);
  const { revision } = (
    await reader.graphql(
      'query($id: ID!) { space(id: $id) { revision { id file(id: "x") { id } files(last: 1) { nodes { name } } } } }',
      { id: spaceId },
    )
  ).space;
  expect(revision).toEqual({ id: body.revision, file: null, files: { nodes: [{ name: 'rest.md' }] } });
});

test('a repetition with the same idempotency key returns the same files', async () => {
  const changes = [{ operation: 'insert_files', files: [{ name: 'once.txt', base64: text('o') }] }];
  const send = () =>
    editor.send('POST', `/v1/spaces/${spaceId}/content`, { changes }, { 'idempotency-key': 'files-1' });
  const [first, second] = [await send(), await send()];
  expect(second.body).toEqual(first.body);
  expect((await files()).filter(({ name }: { name: string }) => name === 'once.txt')).toHaveLength(1);
});

const oneFile = (file: Record<string, unknown>) => [{ insertFiles: { files: [{ name: 'a.txt', ...file }] } }];

test.each([
  ['no bytes', oneFile({})],
  ['bytes given twice', oneFile({ url: `${base}/pixel.png`, base64: PIXEL })],
  ['what is no base64', oneFile({ base64: 'a*b=' })],
  ['bytes that are none', oneFile({ base64: '' })],
  ['an empty answer', oneFile({ url: `${base}/empty` })],
  ['an address that is not there', oneFile({ url: `${base}/absent` })],
  ['more than 20 MB', oneFile({ url: `${base}/endless` })],
  ['an address of another scheme', oneFile({ url: 'file:///etc/passwd' })],
  ['an upload that is not there', oneFile({ url: 'upload_00000000000000000000000000' })],
  ['a name with a slash', oneFile({ name: 'a/b', base64: PIXEL })],
  [
    'more than 20 files',
    [{ insertFiles: { files: Array.from({ length: 21 }, () => ({ name: 'a', base64: PIXEL })) } }],
  ],
  ['one name for two things', [...oneFile({ base64: PIXEL, ref: 'x' }), { insertPage: { title: 'X', ref: 'x' } }]],
  ['a file that is not there', [{ updateFile: { fileId: 'file_absent', name: 'a' } }]],
  ['the removal of one that is not there', [{ deleteFile: { fileId: 'file_absent' } }]],
])('refuses %s', async (_name, changes) => {
  await expect(edit(editor, changes)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});

test('a refused call leaves nothing behind', async () => {
  const before = await files();
  const refused = edit(editor, [...oneFile({ base64: PIXEL }), { deletePage: { pageId: 'page_absent' } }]);
  await expect(refused).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  expect(await files()).toEqual(before);
});

test("another user's upload is NOT_FOUND", async () => {
  const { body } = await admin.send('POST', `/v1/orgs/${organizationId}/uploads`, Buffer.from('x'), {
    'content-type': 'text/plain',
  });
  for (const source of [{ url: body.url }, { uploadId: body.id }, { uploadId: 'upload_0' }]) {
    await expect(edit(editor, oneFile(source))).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  }
});

test('an upload in another organization is refused like an absent one, on both transports', async () => {
  const { organization } = await editor.mutate('createOrganization', { title: 'Elsewhere' }, 'organization { id }');
  const foreign = await editor.send('POST', `/v1/orgs/${organization.id}/uploads`, Buffer.from('x'), {
    'content-type': 'text/plain',
  });
  const rest = async (uploadId: string) => {
    const change = { operation: 'insert_files', files: [{ name: 'a.txt', uploadId }] };
    const { status, body } = await editor.post(`/v1/spaces/${spaceId}/content`, { changes: [change] });
    return { status, issues: JSON.parse(JSON.stringify(body.error.issues).replaceAll(uploadId, 'ID')) };
  };
  const absent = await rest('upload_01h455vb4pex5vsknk084sn02q');
  expect(await rest(foreign.body.id)).toEqual(absent);
  expect(absent).toMatchObject({
    status: 400,
    issues: [{ path: ['changes', 0, 'files', 0, 'uploadId'], code: 'NOT_FOUND' }],
  });
  await expect(edit(editor, oneFile({ uploadId: foreign.body.id }))).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});

test('a file has exactly one of url, uploadId and base64, on both transports', async () => {
  const { body } = await editor.send('POST', `/v1/orgs/${organizationId}/uploads`, Buffer.from('x'), {
    'content-type': 'text/plain',
  });
  const message = 'must have exactly one of url, uploadId and base64.';
  for (const source of [{}, { uploadId: body.id, url: body.url }, { uploadId: body.id, base64: PIXEL }]) {
    const change = { operation: 'insert_files', files: [{ name: 'a.txt', ...source }] };
    const answer = await editor.post(`/v1/spaces/${spaceId}/content`, { changes: [change] });
    expect(answer.body.error.issues).toEqual([{ path: ['changes', 0, 'files', 0], message, code: 'ONE_OF' }]);
    const error = await edit(editor, oneFile(source)).catch((thrown) => thrown);
    expect(error.errors[0].extensions.issues).toEqual([
      { path: ['input', 'changes', 0, 'insertFiles', 'files', 0], message, code: 'ONE_OF' },
    ]);
  }
  const change = { operation: 'insert_files', files: [{ name: 'by-id.txt', uploadId: body.id }] };
  expect((await editor.post(`/v1/spaces/${spaceId}/content`, { changes: [change] })).status).toBe(200);
  expect(await byName('by-id.txt')).toBeDefined();
});

test('requires the role editor', async () => {
  const changes = oneFile({ base64: PIXEL });
  await expect(edit(commenter, changes)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(edit(outsider, changes)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(edit(anonymous, changes)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});
