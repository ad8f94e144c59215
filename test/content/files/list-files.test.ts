import { expect, test } from 'vitest';
import type { FileEntry } from '../../../src/domain/store/manifests/index.ts';
import { newId } from '../../../src/platform/ids/ids.ts';
import { statementsOf } from '../../client.ts';
import { idAt } from '../../id-at.ts';
import { expectShape } from '../../shapes.ts';
import { world } from '../../world.ts';
import { contextOf, editFiles, fileOf, headOf, makeSpace } from './content.ts';
import { png } from './images.ts';

const service = await world();
const { app, url, organizationId, admin, reader, guest, outsider, anonymous } = service;
const ctx = contextOf(service, admin);
const { publicUrl } = app.services.config;

const LIST = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
  node(id: $id) { ... on Revision { files(first: $first, after: $after, last: $last, before: $before) {
    totalCount edges { cursor } nodes { fileId } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  } } }
}`;

const FILE = 'id fileId name contentType size downloadUrl dimensions { width height }';

/** Entries of test files, in the order that they are listed in. */
const entriesOf = (count: number): FileEntry[] =>
  Array.from({ length: count }, (_, index) => ({
    id: idAt('file', 1_700_000_000_000 + index),
    name: `${index}.bin`,
    contentType: 'application/octet-stream',
    size: index,
    blob: 'ab'.repeat(32),
  }));

async function spaceWith(entries: FileEntry[]) {
  const spaceId = await makeSpace(ctx, organizationId);
  const revision = await editFiles(ctx, spaceId, { put: entries });
  return { spaceId, revision };
}

test('returns a file on both transports, with a working download URL', async () => {
  const picture = await fileOf(ctx, organizationId, 'pic ture.png', png(640, 480));
  const { spaceId, revision } = await spaceWith([picture]);
  const shown = {
    id: picture.id,
    name: 'pic ture.png',
    contentType: 'image/png',
    size: picture.size,
    downloadURL: expect.stringMatching(`${publicUrl}/files/`),
    dimensions: { width: 640, height: 480 },
  };
  const addresses = [
    ['content/files', 'listFiles', 'getFileById'],
    [`revisions/${revision.id}/files`, 'listFilesInRevisionById', 'getFileInRevisionById'],
  ] as const;
  for (const [path, listId, getId] of addresses) {
    const list = await reader.get(`/v1/spaces/${spaceId}/${path}`);
    expect([list.status, list.body]).toEqual([200, { count: 1, items: [shown] }]);
    expectShape(listId, 200, list.body);
    const one = await reader.get(`/v1/spaces/${spaceId}/${path}/${picture.id}`);
    expect([one.status, one.body]).toEqual([200, shown]);
    expectShape(getId, 200, one.body);
  }
  const { downloadURL } = (await reader.get(`/v1/spaces/${spaceId}/content/files/${picture.id}`)).body;
  expect((await anonymous.get(downloadURL.replace(publicUrl, url))).headers.get('content-type')).toBe('image/png');

  const query = `query ($id: ID!, $fileId: ID!) { node(id: $id) { ... on Revision { file(id: $fileId) { ${FILE} } files { nodes { ${FILE} } } } } }`;
  const { node } = await reader.graphql(query, { id: revision.id, fileId: picture.id });
  const { id, downloadURL: _, ...rest } = shown;
  const file = { ...rest, id: `${id}-at-${revision.id}`, fileId: id, downloadUrl: downloadURL };
  expect(node).toEqual({ file, files: { nodes: [file] } });
});

test('distinguishes media types, and returns dimensions of images only', async () => {
  const text = await fileOf(ctx, organizationId, 'notes.md', '# Notes');
  const { spaceId, revision } = await spaceWith([text]);
  const { body } = await reader.get(`/v1/spaces/${spaceId}/content/files/${text.id}`);
  expect(body).toMatchObject({ contentType: 'text/markdown', size: 7 });
  expect(body).not.toHaveProperty('dimensions');
  const { node } = await reader.graphql(
    `query ($id: ID!) { node(id: $id) { ... on Revision { file(id: "${text.id}") { dimensions { width } } } } }`,
    { id: revision.id },
  );
  expect(node.file).toEqual({ dimensions: null });
});

test('paginates the head and an earlier revision in the same way, forwards and backwards', async () => {
  const entries = entriesOf(150);
  const ids = entries.map(({ id }) => id);
  const { spaceId, revision: old } = await spaceWith(entries);
  const head = await editFiles(ctx, spaceId, { put: [{ ...(entries[0] as FileEntry), name: 'renamed' }] });
  for (const revision of [old, head]) {
    const read = async (variables: object) =>
      (await reader.graphql(LIST, { id: revision.id, ...variables })).node.files;
    const first = await read({ first: 60 });
    expect(first.nodes.map(({ fileId }: { fileId: string }) => fileId)).toEqual(ids.slice(0, 60));
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    expect(first.totalCount).toBe(150);
    const rest = await read({ first: 100, after: first.pageInfo.endCursor });
    expect(rest.nodes.map(({ fileId }: { fileId: string }) => fileId)).toEqual(ids.slice(60));
    expect(rest.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    const beyond = await read({ first: 5, after: rest.pageInfo.endCursor });
    expect(beyond).toMatchObject({
      nodes: [],
      totalCount: 150,
      pageInfo: { hasNextPage: false, hasPreviousPage: true, endCursor: null },
    });
    const last = await read({ last: 10 });
    expect(last.nodes.map(({ fileId }: { fileId: string }) => fileId)).toEqual(ids.slice(140));
    expect(last.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    const before = await read({ last: 100, before: first.edges[50].cursor });
    expect(before.nodes.map(({ fileId }: { fileId: string }) => fileId)).toEqual(ids.slice(0, 50));
    expect(before.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
  }
});

test('continues with a cursor of the head after the head has moved', async () => {
  const entries = entriesOf(10);
  const { spaceId, revision } = await spaceWith(entries);
  const path = `/v1/spaces/${spaceId}/revisions/${revision.id}/files`;
  const { body } = await reader.get(`${path}?limit=4`);
  await editFiles(ctx, spaceId, { put: [], remove: entries.map(({ id }) => id) });
  const next = await reader.get(`${path}?limit=4&page=${body.next.page}`);
  expect(next.body.items.map(({ id }: { id: string }) => id)).toEqual(entries.slice(4, 8).map(({ id }) => id));
  expect(next.body.count).toBe(10);
  expect((await reader.get(`/v1/spaces/${spaceId}/content/files`)).body).toEqual({ count: 0, items: [] });
  const none = await reader.get(`${path}?limit=0`);
  expect(none.body).toEqual({ count: 10, items: [] });
});

test('rejects cursors of other lists and invalid parameters', async () => {
  const { spaceId } = await spaceWith(entriesOf(3));
  const empty = await makeSpace(ctx, organizationId);
  const foreign = (await reader.get(`/v1/orgs/${organizationId}/spaces?limit=1`)).body?.next?.page ?? 'AAAA';
  for (const id of [spaceId, empty]) {
    const { status, body } = await reader.get(`/v1/spaces/${id}/content/files?page=${foreign}`);
    expect([status, body.error.issues[0].path]).toEqual([400, ['page']]);
  }
  expect((await reader.get(`/v1/spaces/${spaceId}/content/files?metadata=perhaps`)).status).toBe(400);
  expect((await reader.get(`/v1/spaces/${spaceId}/content/files?metadata=false&computed=true`)).status).toBe(200);
});

test('returns a replaced file as it is in each revision', async () => {
  const [entry] = entriesOf(1) as [FileEntry];
  const { spaceId, revision } = await spaceWith([entry]);
  const head = await editFiles(ctx, spaceId, { put: [{ ...entry, name: 'second.bin' }] });
  const nodes = [revision, head].map(({ id }) => `${entry.id}-at-${id}`);
  const answer = await reader.graphql('query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on File { name } } }', {
    ids: nodes,
  });
  expect(answer.nodes).toEqual([
    { id: nodes[0], name: '0.bin' },
    { id: nodes[1], name: 'second.bin' },
  ]);
});

test('hides the files of hidden spaces', async () => {
  const [entry] = entriesOf(1) as [FileEntry];
  const { spaceId, revision } = await spaceWith([entry]);
  const other = await spaceWith([]);
  const paths = [
    `content/files`,
    `content/files/${entry.id}`,
    `revisions/${revision.id}/files`,
    `revisions/${revision.id}/files/${entry.id}`,
  ];
  for (const path of paths) {
    expect((await outsider.get(`/v1/spaces/${spaceId}/${path}`)).status).toBe(404);
    expect((await guest.get(`/v1/spaces/${spaceId}/${path}`)).status).toBe(404);
    expect((await anonymous.get(`/v1/spaces/${spaceId}/${path}`)).status).toBe(401);
  }
  expect((await outsider.get(`/v1/spaces/${spaceId}/content/files?metadata=perhaps`)).status).toBe(404);
  const ids = [
    `${entry.id}-at-${revision.id}`,
    entry.id,
    `${entry.id}-at-${other.revision.id}`,
    `${newId('file')}-at-${revision.id}`,
  ];
  const seen = async (client: typeof reader) =>
    (await client.graphql('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids })).nodes;
  expect(await seen(outsider)).toEqual([null, null, null, null]);
  expect(await seen(reader)).toEqual([{ id: ids[0] }, null, null, null]);
});

test('returns files to everyone once a published site contains their space', async () => {
  const [entry] = entriesOf(1) as [FileEntry];
  const { spaceId } = await spaceWith([entry]);
  const path = `/v1/spaces/${spaceId}/content/files`;
  expect((await anonymous.get(path)).status).toBe(401);
  const siteId = newId('site');
  const { db } = app.services;
  await db
    .insertInto('site')
    .values({ id: siteId, organizationId, title: 'Docs', visibility: 'public', isPublished: true })
    .execute();
  const link = { siteId, spaceId, path: 'docs', rank: 'a0' };
  await db
    .insertInto('site_space')
    .values({ id: newId('sitespace'), organizationId, ...link })
    .execute();
  expect((await anonymous.get(path)).body).toMatchObject({ count: 1, items: [{ id: entry.id }] });
  expect((await anonymous.get(`${path}/${entry.id}`)).status).toBe(200);
  expect((await anonymous.get(`${path}/${newId('file')}`)).status).toBe(404);
});

test('is 404 for unknown files and revisions', async () => {
  const { spaceId } = await spaceWith(entriesOf(1));
  const other = await spaceWith(entriesOf(1));
  const missing = newId('file');
  expect((await reader.get(`/v1/spaces/${spaceId}/content/files/${missing}`)).status).toBe(404);
  expect((await reader.get(`/v1/spaces/${spaceId}/revisions/${other.revision.id}/files`)).status).toBe(404);
  const query = `query ($id: ID!) { node(id: $id) { ... on Revision { file(id: "${missing}") { id } } } }`;
  expect((await reader.graphql(query, { id: (await headOf(ctx, spaceId)).id })).node).toEqual({ file: null });
});

test('reads files of many revisions in a constant number of statements', async () => {
  const made = [];
  for (let count = 0; count < 6; count++) made.push(await spaceWith(entriesOf(70 + count)));
  for (const { spaceId } of made.slice(3)) await editFiles(ctx, spaceId, { put: entriesOf(1) });
  const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Revision {
    files(first: 5) { totalCount nodes { id downloadUrl } } file(id: "${newId('file')}") { id } } } }`;
  const ids = made.map(({ revision }) => revision.id);
  // Revisions, a page of heads, and up to three levels of manifests, regardless of the number of revisions.
  for (const asked of [ids.slice(2, 4), ids]) {
    const answer = await reader.graphqlRaw(query, { ids: asked });
    expect(answer.body.data.nodes).toHaveLength(asked.length);
    expect(statementsOf(answer)).toBeLessThanOrEqual(6);
  }
});
