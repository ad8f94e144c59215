import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentIdOf } from '../../../src/platform/graphql/request/trusted-documents.ts';
import { newId } from '../../../src/platform/ids/ids.ts';
import { type RestAnswer, statementsOf } from '../../client.ts';
import { world } from '../../world.ts';

const directory = await mkdtemp(join(tmpdir(), 'stemma-caching-'));
afterAll(() => rm(directory, { recursive: true, force: true }));
const TITLE = 'query Title($id: ID!) { space(id: $id) { title } }';
const documents = join(directory, 'documents.json');
await writeFile(documents, JSON.stringify({ [documentIdOf(TITLE)]: TITLE }));

const { admin, editor, guest, anonymous, organizationId, app, grant } = await world({ TRUSTED_DOCUMENTS: documents });
const { db } = app.services;
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const FOR_EVER = 'private, max-age=31536000, immutable';

let spaceId: string;
let revisionId: string;
let documentId: string;
let fileId: string;

beforeAll(async () => {
  spaceId = (await admin.mutate('createSpace', { organizationId, title: 'Cached' }, 'space { id }')).space.id;
  const changes = [
    { insertPage: { title: 'Page', document: { markdown: 'Words.' } } },
    { insertFiles: { files: [{ name: 'dot.png', base64: PIXEL }] } },
  ];
  const { revision, insertedFiles } = await admin.mutate(
    'updateSpaceContent',
    { spaceId, changes },
    'revision { id pages { ... on DocumentPage { documentId } } } insertedFiles { fileId }',
  );
  revisionId = revision.id;
  documentId = revision.pages.at(-1).documentId;
  fileId = insertedFiles[0].fileId;
});

const get = (path: string, etag?: string | null, by = editor): Promise<RestAnswer> =>
  by.send('GET', path, undefined, etag ? { 'if-none-match': etag } : {});
const tagOf = ({ headers }: RestAnswer) => headers.get('etag');
const cacheOf = ({ headers }: RestAnswer) => headers.get('cache-control');
const immutable = () => `/v1/spaces/${spaceId}/revisions/${revisionId}?computed=false&metadata=false`;

test('documents, files and revisions by ID have strong tags, and a read with the same tag is 304 without a body', async () => {
  const paths = [
    `/v1/spaces/${spaceId}/documents/${documentId}`,
    `/v1/spaces/${spaceId}/revisions/${revisionId}/files/${fileId}`,
    `/v1/spaces/${spaceId}/revisions/${revisionId}`,
    immutable(),
    `/v1/spaces/${spaceId}/content`,
  ];
  const tags = new Set<string | null>();
  for (const path of paths) {
    const first = await get(path);
    // Sessions are cookies, so that one browser can have several callers.
    expect(first.headers.get('vary')).toContain('authorization, cookie');
    expect([path, first.status, tagOf(first)]).toEqual([path, 200, expect.stringMatching(/^"[^"]+"$/)]);
    const again = await get(path, tagOf(first));
    expect([again.status, again.body, tagOf(again), cacheOf(again)]).toEqual([304, '', tagOf(first), cacheOf(first)]);
    expect((await get(path, '"other"')).status).toBe(200);
    tags.add(tagOf(first));
  }
  // The revision is the current one, so three of the paths are the same response.
  expect(tags.size).toBe(3);
});

test('only a revision without Git metadata and computed content is immutable', async () => {
  expect(cacheOf(await get(immutable()))).toBe(FOR_EVER);
  for (const query of ['', '?metadata=false', '?computed=false', '?computed=false&metadata=true'])
    expect(cacheOf(await get(`/v1/spaces/${spaceId}/revisions/${revisionId}${query}`))).toBe('private, no-cache');
  expect(cacheOf(await get(`/v1/spaces/${spaceId}/content?computed=false&metadata=false`))).toBe('private, no-cache');
});

test('a compressed response depends on the token and on the coding', async () => {
  const { headers, body } = await editor.send('GET', immutable(), undefined, { 'accept-encoding': 'br' });
  expect(JSON.stringify(body).length).toBeGreaterThan(1_024);
  expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([
    'br',
    'authorization, cookie, Accept-Encoding',
  ]);
});

test('304 reads neither the tree nor the files of a revision', async () => {
  const changes = Array.from({ length: 3 }, (_, index) => ({ insertPage: { title: `Fresh ${index}` } }));
  const { revision } = await admin.mutate('updateSpaceContent', { spaceId, changes }, 'revision { id }');
  const path = `/v1/spaces/${spaceId}/revisions/${revision.id}?computed=false&metadata=false`;
  const whole = await get(path);
  const again = await get(path, tagOf(whole));
  expect(again.status).toBe(304);
  expect(statementsOf(again)).toBeLessThan(statementsOf(whole) - 1);
});

test('304 does not read the body of a document', async () => {
  const markdown = 'Only of this document.';
  const changes = [{ insertPage: { title: 'Read once', document: { markdown } } }];
  const selection = 'revision { pages { ... on DocumentPage { documentId } } }';
  const { revision } = await admin.mutate('updateSpaceContent', { spaceId, changes }, selection);
  const path = `/v1/spaces/${spaceId}/documents/${revision.pages.at(-1).documentId}`;
  const etag = tagOf(await get(path));
  const { numDeletedRows } = await db
    .deleteFrom('document')
    .where('markdown', 'like', `${markdown}%`)
    .executeTakeFirst();
  expect([numDeletedRows, (await get(path, etag)).status]).toEqual([1n, 304]);
});

test('304 of a file reads no more than whether the revision has it', async () => {
  const path = `/v1/spaces/${spaceId}/revisions/${revisionId}/files/${fileId}`;
  const whole = await get(path);
  await db.deleteFrom('blob').execute();
  const again = await get(path, tagOf(whole));
  expect([again.status, statementsOf(again)]).toEqual([304, statementsOf(whole)]);
});

test('callers who have lost access do not get 304', async () => {
  await grant(spaceId, guest.userId, 'read');
  for (const path of [
    immutable(),
    `/v1/spaces/${spaceId}/documents/${documentId}`,
    `/v1/spaces/${spaceId}/revisions/${revisionId}/files/${fileId}`,
  ]) {
    const etag = tagOf(await get(path, null, guest));
    expect((await get(path, etag, guest)).status).toBe(304);
    await db.deleteFrom('grant').where('granteeId', '=', guest.userId).execute();
    expect([(await get(path, etag, guest)).status, (await get(path, '*', guest)).status]).toEqual([404, 404]);
    await grant(spaceId, guest.userId, 'read');
  }
});

test('the tag of a merge changes with the merged change request', async () => {
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  const input = { changeRequestId: changeRequest.id, changes: [{ insertPage: { title: 'Merged' } }] };
  await editor.mutate('updateChangeRequestContent', input, 'revision { id }');
  const merged = await admin.post(`/v1/spaces/${spaceId}/change-requests/${changeRequest.id}/merge`);
  const path = `/v1/spaces/${spaceId}/revisions/${merged.body.revision}?computed=false&metadata=false`;
  expect(cacheOf(await get(path))).toBe('private, no-cache');
  const etag = tagOf(await get(path));
  expect((await get(path, etag)).status).toBe(304);
  await db.updateTable('change_request').set({ subject: 'Renamed' }).where('id', '=', changeRequest.id).execute();
  const { status, body } = await get(path, etag);
  expect([status, body.mergedFrom.subject]).toEqual([200, 'Renamed']);
});

test('a trusted document over GET has a tag where the answer is public, and nothing else may be stored', async () => {
  const site = { id: newId('site'), organizationId, title: 'Help', isPublished: true };
  await db.insertInto('site').values(site).execute();
  await db
    .insertInto('site_space')
    .values({ id: newId('sitespace'), organizationId, siteId: site.id, spaceId, path: 'help', rank: 'a' })
    .execute();
  const variables = encodeURIComponent(JSON.stringify({ id: spaceId }));
  const path = `/graphql?documentId=${documentIdOf(TITLE)}&variables=${variables}`;
  const first = await get(path, null, anonymous);
  expect([first.body, cacheOf(first)]).toEqual([{ data: { space: { title: 'Cached' } } }, 'public, no-cache']);
  expect(first.headers.get('vary')).toMatch(/authorization/i);
  const again = await get(path, tagOf(first), anonymous);
  expect([again.status, again.body]).toEqual([304, '']);

  await db.updateTable('space').set({ title: 'New' }).where('id', '=', spaceId).execute();
  expect((await get(path, tagOf(first), anonymous)).body).toEqual({ data: { space: { title: 'New' } } });
  await db.updateTable('site').set({ isPublished: false }).where('id', '=', site.id).execute();
  const hidden = await get(path, tagOf(first), anonymous);
  expect([hidden.status, tagOf(hidden), cacheOf(hidden)]).toEqual([200, null, 'private, no-store']);

  for (const answer of [
    await get(path),
    await get(`/graphql?query=${encodeURIComponent('{ __typename }')}`, null, anonymous),
    await anonymous.graphqlRaw('{ __typename }'),
    await editor.get(`/v1/spaces/${spaceId}/content/pages`),
  ])
    expect([answer.status, tagOf(answer), cacheOf(answer)]).toEqual([200, null, 'private, no-store']);
});
