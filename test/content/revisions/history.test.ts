import { beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import { world } from '../../world.ts';

const { admin, editor, reader, guest, outsider, anonymous, organizationId, app, advance } = await world();
const { db } = app.services;

const HISTORY = `query($id: ID!, $first: Int, $after: String) {
  space(id: $id) {
    revisions(first: $first, after: $after) {
      totalCount
      pageInfo { hasNextPage endCursor }
      nodes {
        id type createdAt
        createdBy { id }
        parents { id }
        mergedFrom { id }
        git { oid message createdByService }
        urls { location app }
        summary { pagesCreated pagesEdited pagesMoved pagesDeleted filesChanged reusableContentsChanged variablesChanged }
      }
    }
  }
}`;

const historyOf = async (spaceId: string, more: Record<string, unknown> = {}) =>
  (await admin.graphql(HISTORY, { id: spaceId, ...more })).space.revisions;

let spaceId: string;
const pageIds: string[] = [];

async function edit(changes: unknown[]): Promise<{ revision: { id: string }; pageIds: string[] }> {
  advance(1_000);
  return admin.mutate('updateSpaceContent', { spaceId, changes }, 'revision { id } pageIds');
}

beforeAll(async () => {
  const { space } = await admin.mutate('createSpace', { organizationId, title: 'Told', empty: true }, 'space { id }');
  spaceId = space.id;
  const inserted = await edit([
    { insertPage: { title: 'One' } },
    { insertPage: { title: 'Two' } },
    { insertPage: { title: 'Three' } },
  ]);
  pageIds.push(...inserted.pageIds);
  const [one, two, three] = pageIds;
  await edit([
    { updatePage: { pageId: one, title: 'First' } },
    { movePage: { pageId: two, parentId: one } },
    { deletePage: { pageId: three } },
  ]);
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  const changes = [{ insertPage: { title: 'Proposed' } }];
  await editor.mutate(
    'updateChangeRequestContent',
    { changeRequestId: changeRequest.id, changes },
    'changeRequest { id }',
  );
});

test('lists the revisions of the primary content, newest first, with author, time, type and summary', async () => {
  const { nodes, totalCount } = await historyOf(spaceId);
  expect(totalCount).toBe(3);
  expect(nodes).toMatchObject([
    {
      type: 'EDITS',
      createdBy: { id: admin.userId },
      parents: [{ id: nodes[1].id }],
      mergedFrom: null,
      git: null,
      summary: { pagesCreated: 0, pagesEdited: 1, pagesMoved: 1, pagesDeleted: 1, filesChanged: false },
    },
    { summary: { pagesCreated: 3, pagesEdited: 0, pagesMoved: 0, pagesDeleted: 0, variablesChanged: false } },
    { summary: null, parents: [] },
  ]);
  expect(nodes[0].createdAt > nodes[1].createdAt).toBe(true);
});

test('is paginated, and an edit in between does not shift it', async () => {
  const whole = (await historyOf(spaceId)).nodes.map(({ id }: { id: string }) => id);
  const first = await historyOf(spaceId, { first: 1 });
  await edit([{ insertPage: { title: 'Late' } }]);
  const rest = await historyOf(spaceId, { first: 10, after: first.pageInfo.endCursor });
  expect([...first.nodes, ...rest.nodes].map(({ id }: { id: string }) => id)).toEqual(whole);
});

test('is the same in REST', async () => {
  const { nodes } = await historyOf(spaceId);
  const { status, body } = await reader.get(`/v1/spaces/${spaceId}/revisions`);
  expect(status).toBe(200);
  expect(body.items.map(({ id }: { id: string }) => id)).toEqual(nodes.map(({ id }: { id: string }) => id));
  expect(body.items[0]).toMatchObject({
    createdBy: { id: admin.userId },
    summary: { pages: { created: 1, edited: 0, moved: 0, deleted: 0 }, filesChanged: false },
    urls: { location: nodes[0].urls.location },
  });
});

test('contains the change request and the commit of a revision', async () => {
  const { changeRequest } = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  const git = { oid: 'abc', message: 'From git', createdByService: false };
  const { revision } = await edit([{ insertPage: { title: 'Merged' } }]);
  await db
    .updateTable('revision')
    .set({ type: 'merge', mergedFromId: changeRequest.id, git })
    .where('id', '=', revision.id)
    .execute();
  const { nodes } = await historyOf(spaceId, { first: 1 });
  expect(nodes[0]).toMatchObject({ type: 'MERGE', mergedFrom: { id: changeRequest.id }, git });
  const { body } = await admin.get(`/v1/spaces/${spaceId}/revisions/${revision.id}`);
  expect(body).toMatchObject({ type: 'merge', mergedFrom: { id: changeRequest.id }, git: { oid: 'abc' } });
});

test('requires a role on the space', async () => {
  expect((await outsider.get(`/v1/spaces/${spaceId}/revisions`)).status).toBe(404);
  expect((await guest.get(`/v1/spaces/${spaceId}/revisions`)).status).toBe(404);
  expect((await anonymous.get(`/v1/spaces/${spaceId}/revisions`)).status).toBe(401);
  expect((await admin.get(`/v1/spaces/${newId('space')}/revisions`)).status).toBe(404);
});
