import { expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import { world } from '../../world.ts';
import { arrangeIn } from './arrange.ts';

const site = await world();
const { admin, editor, reviewer, creator, commenter, reader, outsider, anonymous, organizationId } = site;
const arrange = arrangeIn(site);
const { spaceId } = await arrange.space('One.');
const path = (id: string) => `/v1/spaces/${spaceId}/change-requests/${id}/requested-reviewers`;
const beyond = { beyond: true };

const request = (by: typeof editor, changeRequestId: string, userIds: string[]) =>
  by.mutate(
    'requestReviewers',
    { changeRequestId, userIds },
    'changeRequest { subject requestedReviewers(first: 9) { totalCount nodes { id displayName } } }',
  );

const names = async (id: string) =>
  (await reader.restAs('getRequestedReviewersByChangeRequestId', 'GET', path(id), undefined, beyond)).body.items.map(
    ({ user }: { user: { displayName: string } }) => user.displayName,
  );

test('requests each reviewer once, and lists them in order of request', async () => {
  const id = await arrange.changeRequest(editor, spaceId);
  const { changeRequest } = await request(editor, id, [reviewer.userId, reviewer.userId]);
  expect(changeRequest.requestedReviewers).toEqual({
    totalCount: 1,
    nodes: [{ id: reviewer.userId, displayName: 'Reviewer' }],
  });
  site.advance(1_000);
  const given = { users: [creator.userId, reviewer.userId] };
  const { status, body } = await admin.restAs('requestReviewersForChangeRequest', 'POST', path(id), given, beyond);
  expect([status, body.users]).toMatchObject([
    200,
    [
      { kind: 'user', user: { id: creator.userId }, requestedBy: { id: admin.userId } },
      { kind: 'user', user: { id: reviewer.userId }, requestedBy: { id: editor.userId } },
    ],
  ]);
  expect(await names(id)).toEqual(['Reviewer', 'Creator']);
});

test('also sets subject and description for those who can', async () => {
  const id = await arrange.changeRequest(editor, spaceId);
  const given = { users: [reviewer.userId], subject: 'Please look', description: { markdown: 'It is short.' } };
  expect((await editor.post(path(id), given)).status).toBe(200);
  const read = await reader.get(`/v1/spaces/${spaceId}/change-requests/${id}`);
  expect(read.body).toMatchObject({ subject: 'Please look', description: { object: 'document' } });
  const foreign = await arrange.changeRequest(admin, spaceId);
  expect((await editor.post(path(foreign), given)).status).toBe(403);
  expect(await names(foreign)).toEqual([]);
  expect((await editor.post(path(foreign), { users: [reviewer.userId] })).status).toBe(200);
});

test('reviews name who requested them, and lists can be filtered by requested reviewer', async () => {
  const id = await arrange.changeRequest(editor, spaceId);
  await editor.mutate('updateChangeRequest', { changeRequestId: id, status: 'OPEN' }, 'changeRequest { id }');
  await request(editor, id, [creator.userId]);
  const { review } = await creator.mutate(
    'submitReview',
    { changeRequestId: id, status: 'APPROVED' },
    'review { requestedBy { id } }',
  );
  expect(review).toEqual({ requestedBy: { id: editor.userId } });
  const rest = async (list: string, userId: string) =>
    (await reader.get(`${list}?requestedReviewer=${userId}`)).body.items.map((item: { id: string }) => item.id);
  for (const list of [`/v1/spaces/${spaceId}/change-requests`, `/v1/orgs/${organizationId}/change-requests`]) {
    expect([await rest(list, creator.userId), await rest(list, commenter.userId)]).toEqual([[id], []]);
  }
  const query = `query($id: ID!, $user: ID!) { space(id: $id) { changeRequests(requestedReviewer: $user) { nodes { id } } } }`;
  expect((await reader.graphql(query, { id: spaceId, user: creator.userId })).space.changeRequests.nodes).toEqual([
    { id },
  ]);
});

test('removes a request, and repeating the removal is no error', async () => {
  const id = await arrange.changeRequest(editor, spaceId);
  await request(editor, id, [reviewer.userId, creator.userId]);
  const remove = (userId: string) =>
    editor.mutate('removeRequestedReviewer', { changeRequestId: id, userId }, 'deletedId changeRequest { id }');
  expect(await remove(reviewer.userId)).toEqual({ deletedId: reviewer.userId, changeRequest: { id } });
  expect(await remove(reviewer.userId)).toEqual({ deletedId: null, changeRequest: { id } });
  for (let times = 0; times < 2; times++) {
    expect((await editor.delete(`${path(id)}/${creator.userId}`)).status).toBe(204);
  }
  expect(await names(id)).toEqual([]);
});

test('refuses removal by those who cannot edit, and hides it from outsiders', async () => {
  const id = await arrange.changeRequest(editor, spaceId);
  await request(editor, id, [reviewer.userId]);
  const one = `${path(id)}/${reviewer.userId}`;
  const statuses = await Promise.all([commenter, outsider, anonymous].map(async (by) => (await by.delete(one)).status));
  expect(statuses).toEqual([403, 404, 401]);
  const input = { changeRequestId: id, userId: reviewer.userId };
  expect(await outsider.mutate('removeRequestedReviewer', input, 'deletedId')).toEqual({ deletedId: null });
  await expect(commenter.mutate('removeRequestedReviewer', input, 'deletedId')).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  expect(await names(id)).toEqual(['Reviewer']);
});

test.each([
  ['somebody of another organization', () => outsider.userId],
  ['nobody', () => newId('user')],
  ['the author', () => editor.userId],
])('does not ask %s, nor anybody else named with them', async (_who, userId) => {
  const id = await arrange.changeRequest(editor, spaceId);
  const { status, body } = await editor.post(path(id), { users: [reviewer.userId, userId()] });
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('users.1')]);
  await expect(request(editor, id, [userId()])).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  expect(await names(id)).toEqual([]);
});

test.each([
  ['a commenter', commenter, 403, 'FORBIDDEN'],
  ['an outsider', outsider, 404, 'NOT_FOUND'],
  ['an anonymous caller', anonymous, 401, 'UNAUTHENTICATED'],
] as const)('%s is refused, whatever else is wrong', async (_who, caller, status, code) => {
  const id = await arrange.changeRequest(admin, spaceId);
  for (const users of [[reviewer.userId], []]) expect((await caller.post(path(id), { users })).status).toBe(status);
  await expect(request(caller, id, [reviewer.userId])).rejects.toMatchObject({ code });
});

test.each([[{}], [{ users: [] }], [{ users: 'me' }], [{ users: Array.from({ length: 51 }, () => 'user_x') }]])(
  'refuses %j',
  async (given) => {
    const id = await arrange.changeRequest(editor, spaceId);
    expect((await editor.post(path(id), given)).status).toBe(400);
  },
);

test('refuses requests on a merged change request', async () => {
  const id = await arrange.changeRequest(editor, spaceId);
  await site.app.services.db.updateTable('change_request').set({ status: 'merged' }).where('id', '=', id).execute();
  expect((await editor.post(path(id), { users: [reviewer.userId] })).status).toBe(409);
});

test('refuses members who cannot see the space', async () => {
  const id = await arrange.changeRequest(editor, spaceId);
  await expect(request(editor, id, [reviewer.userId, site.guest.userId])).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
    message: expect.stringContaining('cannot see the space'),
  });
  expect(await names(id)).toEqual([]);
});
