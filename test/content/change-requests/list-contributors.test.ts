import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { arrangeIn } from './arrange.ts';

const site = await world();
const { app, admin, editor, reviewer, reader, guest, outsider, anonymous } = site;
const arrange = arrangeIn(site);
const spaceId = await arrange.space();
const { id, number } = await arrange.changeRequest(editor, spaceId);
const path = `/v1/spaces/${spaceId}/change-requests/${id}/contributors`;

const QUERY = `query($id: ID!, $first: Int, $after: String) { changeRequest(id: $id) {
  contributors(first: $first, after: $after) { totalCount nodes { id displayName email } pageInfo { hasNextPage endCursor } } } }`;

const timeOf = async (revisionId: string) =>
  (
    await app.services.db
      .selectFrom('revision')
      .where('id', '=', revisionId)
      .select('createdAt')
      .executeTakeFirstOrThrow()
  ).createdAt;

const createdAt = (await reader.get(path.replace('/contributors', ''))).body.createdAt;
await arrange.revision(reviewer, spaceId, id);
await arrange.revision(admin, spaceId, null);
const last = await arrange.revision(reviewer, spaceId, id);

test('lists the creator and the authors of revisions, most recent contribution first', async () => {
  const { changeRequest } = await reader.graphql(QUERY, { id });
  expect(changeRequest.contributors).toMatchObject({
    totalCount: 2,
    nodes: [
      { id: reviewer.userId, displayName: 'Reviewer', email: 'reviewer@acme.example' },
      { id: editor.userId, displayName: 'Editor' },
    ],
  });
});

test('REST returns the time and number of contributions', async () => {
  for (const name of [id, number]) {
    const byName = path.replace(id, String(name));
    const { body } = await reader.restAs('getContributorsByChangeRequestId', 'GET', byName);
    expect(body).toMatchObject({
      count: 2,
      items: [
        { user: { id: reviewer.userId }, count: 2, updatedAt: await timeOf(last), actionType: 'edit' },
        { user: { id: editor.userId }, count: 0, updatedAt: createdAt, actionType: 'edit' },
      ],
    });
  }
});

test('pages on both transports', async () => {
  const first = (await reader.graphql(QUERY, { id, first: 1 })).changeRequest.contributors;
  expect(first.pageInfo.hasNextPage).toBe(true);
  const { changeRequest } = await reader.graphql(QUERY, { id, first: 1, after: first.pageInfo.endCursor });
  expect(changeRequest.contributors).toMatchObject({
    nodes: [{ id: editor.userId }],
    pageInfo: { hasNextPage: false },
  });
  const page = await reader.get(`${path}?limit=1`);
  const rest = await reader.get(`${path}?limit=1&page=${page.body.next.page}`);
  expect(rest.body.items).toMatchObject([{ user: { id: editor.userId } }]);
});

test.each([
  ['a guest without a grant', guest, 404],
  ['an outsider', outsider, 404],
  ['an anonymous caller', anonymous, 401],
])('refuses %s', async (_who, caller, expected) => {
  expect((await caller.get(path)).status).toBe(expected);
});

test('NOT_FOUND for a missing change request or one of another space', async () => {
  expect((await reader.get(path.replace(id, '999'))).status).toBe(404);
  expect((await reader.get(path.replace(spaceId, await arrange.space()))).status).toBe(404);
});
