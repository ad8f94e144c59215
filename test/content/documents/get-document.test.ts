import { beforeAll, expect, test } from 'vitest';
import { world } from '../../world.ts';

const { admin, editor, reader, outsider, guest, anonymous, organizationId, grant } = await world();

let spaceId: string;
let otherId: string;
let pageId: string;
let documentId: string;
let reusableDocumentId: string;

const newSpace = async (title: string): Promise<string> =>
  (await admin.mutate('createSpace', { organizationId, title }, 'space { id }')).space.id;

const edit = (space: string, changes: unknown[]) =>
  editor.mutate('updateSpaceContent', { spaceId: space, changes }, 'pageIds revision { id }');

const documentsOf = async (space: string) => {
  const query = `query($id: ID!) { space(id: $id) { revision {
    pages { ... on DocumentPage { documentId document } }
    reusableContents { nodes { documentId document } }
  } } }`;
  return (await reader.graphql(query, { id: space })).space.revision;
};

beforeAll(async () => {
  [spaceId, otherId] = [await newSpace('Docs'), await newSpace('Other')];
  const { pageIds } = await edit(spaceId, [
    { insertPage: { title: 'Page', document: { markdown: 'A **page**.' } } },
    { insertReusableContent: { title: 'Notice', document: { markdown: 'A notice.' } } },
  ]);
  pageId = pageIds[0];
  const { pages, reusableContents } = await documentsOf(spaceId);
  documentId = pages.at(-1).documentId;
  reusableDocumentId = reusableContents.nodes[0].documentId;
});

const read = (id: string, by = reader, space = spaceId) => by.get(`/v1/spaces/${space}/documents/${id}`);

test('returns the bodies of pages and reusable contents', async () => {
  const { pages, reusableContents } = await documentsOf(spaceId);
  expect((await read(documentId)).body).toEqual(pages.at(-1).document);
  expect((await read(reusableDocumentId)).body).toEqual(reusableContents.nodes[0].document);
});

test('is a node in its revision', async () => {
  const { space } = await reader.graphql('query($id: ID!) { space(id: $id) { revision { id } } }', { id: spaceId });
  const id = `${documentId}-at-${space.revision.id}`;
  const query = 'query($id: ID!) { node(id: $id) { __typename id ... on Document { documentId markdown document } } }';
  const { node } = await reader.graphql(query, { id });
  expect(node).toMatchObject({ __typename: 'Document', id, documentId, markdown: 'A **page**.\n' });
  expect((await outsider.graphql(query, { id })).node).toBeNull();
  expect((await reader.graphql(query, { id: documentId })).node).toBeNull();
});

test('does not find documents of other spaces or deleted ones', async () => {
  await edit(otherId, [{ insertPage: { title: 'Secret', document: { markdown: 'Only here.' } } }]);
  const secret = (await documentsOf(otherId)).pages.at(-1).documentId;
  expect((await read(secret, reader, otherId)).status).toBe(200);
  expect((await read(secret)).status).toBe(404);
  await edit(spaceId, [{ updatePage: { pageId, document: { markdown: 'Another page.' } } }]);
  expect((await read(documentId)).status).toBe(404);
  for (const id of ['doc_00000000000000000000000000', 'doc_x', 'something', pageId]) {
    expect([id, (await read(id)).status]).toEqual([id, 404]);
  }
});

test('requires access to the space', async () => {
  const { pages } = await documentsOf(spaceId);
  const id = pages.at(-1).documentId;
  expect((await read(id, outsider)).status).toBe(404);
  expect((await read(id, guest)).status).toBe(404);
  expect((await read(id, anonymous)).status).toBe(401);
  await grant(spaceId, guest.userId, 'read');
  expect((await read(id, guest)).status).toBe(200);
});
