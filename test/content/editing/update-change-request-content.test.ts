import { beforeAll, expect, test } from 'vitest';
import { world } from '../../world.ts';

const { admin, editor, commenter, reader, outsider, anonymous, organizationId, app } = await world();

let spaceId: string;
let pageId: string;
let number: number;
let changeRequestId: string;

const edit = (changes: unknown[], by = editor, more = {}) =>
  by.mutate(
    'updateChangeRequestContent',
    { changeRequestId, changes, ...more },
    'changeRequest { id outdated revision { id } } revision { id parents { id } } pageIds',
  );

beforeAll(async () => {
  const { space } = await admin.mutate(
    'createSpace',
    { organizationId, title: 'Docs' },
    'space { id revision { pages { ... on PageNode { pageId } } } }',
  );
  spaceId = space.id;
  pageId = space.revision.pages[0].pageId;
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id number }');
  changeRequestId = changeRequest.id;
  number = changeRequest.number;
});

test('edits the change request and not the space', async () => {
  const before = (await reader.get(`/v1/spaces/${spaceId}/content`)).body;
  const { revision, changeRequest, pageIds } = await edit([
    { updatePage: { pageId, document: { markdown: 'Proposed.' } } },
    { insertPage: { title: 'New', parentId: pageId } },
  ]);
  expect(revision.parents).toEqual([{ id: before.id }]);
  expect(changeRequest).toEqual({ id: changeRequestId, outdated: false, revision: { id: revision.id } });
  expect((await reader.get(`/v1/spaces/${spaceId}/content`)).body).toEqual(before);
  const page = await reader.get(`/v1/spaces/${spaceId}/revisions/${revision.id}/page/${pageId}?format=markdown`);
  expect(page.body).toMatchObject({ markdown: '# Docs\n\nProposed.\n', pages: [{ id: pageIds[1], path: 'docs/new' }] });
  const byPath = await reader.get(`/v1/spaces/${spaceId}/revisions/${revision.id}/path/docs%2Fnew`);
  expect(byPath.body.id).toBe(pageIds[1]);
});

test('continues from its own head, by number and over REST', async () => {
  const path = `/v1/spaces/${spaceId}/change-requests/${number}/content`;
  const changes = [{ operation: 'insert_page', title: 'By REST', document: { markdown: 'x' } }];
  const plain = await editor.post(path, { changes });
  expect(plain.body).toMatchObject({ object: 'change-request', id: changeRequestId });
  const whole = await editor.post(`${path}?compat=false`, { changes });
  expect(whole.body).toMatchObject({ changeRequest: { id: changeRequestId }, changes: [{ object: 'created_page' }] });
  const { changeRequest } = await reader.graphql(
    'query($id: ID!) { changeRequest(id: $id) { revision { pages { ... on PageNode { path } } } } }',
    { id: changeRequestId },
  );
  const paths = changeRequest.revision.pages.map((page: { path: string }) => page.path);
  expect(paths).toEqual(['docs', 'by-rest', 'by-rest-2']);
});

test('finds pages that only it has, and not what the space gained or lost since', async () => {
  const only = (await edit([{ insertPage: { title: 'Mine' } }])).pageIds[0];
  const main = await admin.mutate(
    'updateSpaceContent',
    { spaceId, changes: [{ insertPage: { title: 'Theirs' } }, { updatePage: { pageId, title: 'Renamed on main' } }] },
    'pageIds',
  );
  await edit([
    { updatePage: { pageId: only, title: 'Still mine' } },
    { insertPage: { title: 'Below', parentId: pageId } },
  ]);
  const theirs = edit([{ updatePage: { pageId: main.pageIds[0], title: 'Not here' } }]);
  await expect(theirs).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  const { changeRequest } = await reader.graphql('query($id: ID!) { changeRequest(id: $id) { outdated } }', {
    id: changeRequestId,
  });
  expect(changeRequest.outdated).toBe(true);
});

test('loses nothing when editors write at the same time', async () => {
  const titles = Array.from({ length: 10 }, (_, index) => `At once ${index}`);
  await Promise.all(titles.map((title) => edit([{ insertPage: { title } }])));
  const { body } = await reader.get(`/v1/spaces/${spaceId}/change-requests/${number}`);
  const pages = (await reader.get(`/v1/spaces/${spaceId}/revisions/${body.revision}/pages`)).body.pages;
  expect(pages.map(({ title }: { title: string }) => title)).toEqual(expect.arrayContaining(titles));
});

test('requires the role editor, and its own space in the path', async () => {
  const changes = [{ insertPage: { title: 'No' } }];
  await expect(edit(changes, commenter)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(edit(changes, outsider)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(edit(changes, anonymous)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Other' }, 'space { id }');
  const elsewhere = await editor.post(`/v1/spaces/${space.id}/change-requests/${changeRequestId}/content`, {
    changes: [{ operation: 'insert_page', title: 'No', document: {} }],
  });
  expect(elsewhere.status).toBe(404);
});

test.each(['merged', 'archived'] as const)('refuses edits once it is %s', async (status) => {
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  // No operation merges or archives yet.
  await app.services.db.updateTable('change_request').set({ status }).where('id', '=', changeRequest.id).execute();
  const closed = editor.mutate(
    'updateChangeRequestContent',
    { changeRequestId: changeRequest.id, changes: [{ insertPage: { title: 'No' } }] },
    'pageIds',
  );
  await expect(closed).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('is not starved by constant writes to the space', async () => {
  let isDone = false;
  const onMain = async () => {
    while (!isDone)
      await admin.mutate('updateSpaceContent', { spaceId, changes: [{ insertPage: { title: 'Main' } }] }, 'pageIds');
  };
  const others = [onMain(), onMain()];
  for (let round = 0; round < 8; round++) await edit([{ insertPage: { title: `Round ${round}` } }]);
  isDone = true;
  await Promise.all(others);
});
