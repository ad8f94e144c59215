import { beforeAll, expect, test } from 'vitest';
import { world } from '../../world.ts';

const { admin, editor, reader, outsider, organizationId } = await world();

let spaceId: string;
let firstId: string;
let secondId: string;
let groupId: string;

beforeAll(async () => {
  spaceId = (await admin.mutate('createSpace', { organizationId, title: 'Docs' }, 'space { id }')).space.id;
  const changes = [
    { insertPage: { title: 'First', ref: 'first' } },
    {
      insertPage: {
        title: 'Second',
        metaLinks: {
          canonical: { kind: 'page', page: 'first' },
          alternates: [{ kind: 'url', url: 'https://de.example.com/zweite' }],
        },
      },
    },
    { insertPage: { kind: 'GROUP', title: 'Group' } },
  ];
  [firstId, secondId, groupId] = (await editor.mutate('updateSpaceContent', { spaceId, changes }, 'pageIds')).pageIds;
});

const inHead = (pageId: string, by = reader) => by.get(`/v1/spaces/${spaceId}/content/page/${pageId}/meta-links`);

test('are returned as written, with ids instead of refs', async () => {
  const links = {
    canonical: { kind: 'page', page: firstId },
    alternates: [{ kind: 'url', url: 'https://de.example.com/zweite' }],
  };
  expect((await inHead(secondId)).body).toEqual(links);
  const query = `query($id: ID!, $page: ID) { space(id: $id) { revision { id page(pageId: $page) {
    ... on DocumentPage { metaLinks { canonical { kind ref } alternates { ref } } }
  } } } }`;
  const { revision } = (await reader.graphql(query, { id: spaceId, page: secondId })).space;
  expect(revision.page.metaLinks).toEqual({
    canonical: { kind: 'page', ref: links.canonical },
    alternates: [{ ref: links.alternates[0] }],
  });
  const path = `/v1/spaces/${spaceId}/revisions/${revision.id}/page/${secondId}/meta-links`;
  expect((await reader.get(path)).body).toEqual(links);
});

test('are empty if none were written, and on pages without a body', async () => {
  expect((await inHead(firstId)).body).toEqual({ alternates: [] });
  expect((await inHead(groupId)).body).toEqual({ alternates: [] });
});

test('of a change request are separate', async () => {
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  const changes = [{ updatePage: { pageId: secondId, metaLinks: null } }];
  await editor.mutate(
    'updateChangeRequestContent',
    { changeRequestId: changeRequest.id, changes },
    'changeRequest { id }',
  );
  const path = `/v1/spaces/${spaceId}/change-requests/${changeRequest.id}/content/page/${secondId}/meta-links`;
  expect((await reader.get(path)).body).toEqual({ alternates: [] });
  expect((await inHead(secondId)).body.alternates).toHaveLength(1);
});

test('only refer to pages and URLs, and only exist on pages with a body', async () => {
  const write = (pageId: string, metaLinks: unknown) =>
    editor.mutate('updateSpaceContent', { spaceId, changes: [{ updatePage: { pageId, metaLinks } }] }, 'pageIds');
  const bad = { code: 'BAD_USER_INPUT' };
  await expect(write(firstId, { canonical: { kind: 'file', file: 'file_1' } })).rejects.toMatchObject(bad);
  await expect(write(firstId, { canonical: { kind: 'url', url: 'javascript:x' } })).rejects.toMatchObject(bad);
  const many = Array.from({ length: 101 }, () => ({ kind: 'url', url: 'https://a.example/' }));
  await expect(write(firstId, { alternates: many })).rejects.toMatchObject(bad);
  await expect(write(groupId, { alternates: many.slice(0, 1) })).rejects.toMatchObject(bad);
});

test('require access to the space', async () => {
  expect((await inHead(secondId, outsider)).status).toBe(404);
  expect((await inHead('page_gone')).status).toBe(404);
});

test('an invalid condition is rejected, a valid one is stored', async () => {
  const write = (condition: string) =>
    editor.mutate(
      'updateSpaceContent',
      { spaceId, changes: [{ updatePage: { pageId: firstId, condition } }] },
      'pageIds',
    );
  await expect(write('visitor.claims.beta ==')).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  await expect(write('alert(1)')).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  await write('visitor.claims.beta == true');
  const { body } = await reader.get(`/v1/spaces/${spaceId}/content/page/${firstId}`);
  expect(body.condition).toBe('visitor.claims.beta == true');
});
