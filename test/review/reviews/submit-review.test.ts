import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { arrangeIn } from './arrange.ts';

const site = await world();
const { admin, editor, reviewer, creator, commenter, reader, outsider, anonymous } = site;
const arrange = arrangeIn(site);
const { spaceId } = await arrange.space('One.');
const path = (id: string) => `/v1/spaces/${spaceId}/change-requests/${id}/reviews`;
const FIELDS = 'review { id status outdated createdAt updatedAt reviewer { id } requestedBy { id } revision { id } }';

const submit = (by: typeof editor, changeRequestId: string, status: string, selection = FIELDS) =>
  by.mutate('submitReview', { changeRequestId, status }, selection);

test('reviews the current revision, and is read by REST and by id', async () => {
  const id = await arrange.changeRequest(editor, spaceId);
  const { review, changeRequest } = await submit(
    reviewer,
    id,
    'APPROVED',
    `${FIELDS} changeRequest { revision { id } }`,
  );
  expect(review).toMatchObject({
    status: 'APPROVED',
    outdated: false,
    reviewer: { id: reviewer.userId },
    requestedBy: null,
    revision: changeRequest.revision,
  });
  const { body } = await reader.restAs('getChangeRequestReviewById', 'GET', `${path(id)}/${review.id}`, undefined, {
    beyond: true,
  });
  expect(body).toMatchObject({
    object: 'change-request-review',
    id: review.id,
    status: 'approved',
    outdated: false,
    revision: changeRequest.revision.id,
    reviewer: { id: reviewer.userId },
    createdAt: review.createdAt,
  });
  const query = 'query($id: ID!) { node(id: $id) { __typename ... on Review { status changeRequest { id } } } }';
  expect(await reader.graphql(query, { id: review.id })).toEqual({
    node: { __typename: 'Review', status: 'APPROVED', changeRequest: { id } },
  });
  expect(await outsider.graphql(query, { id: review.id })).toEqual({ node: null });
});

test('REST submits a review with its location, and the graph lists it', async () => {
  const id = await arrange.changeRequest(editor, spaceId);
  const given = { status: 'changes-requested' };
  const answer = await reviewer.restAs('submitChangeRequestReview', 'POST', path(id), given, { beyond: true });
  expect(answer.status).toBe(201);
  expect(answer.headers.get('location')).toBe(answer.body.urls.location);
  const query =
    'query($id: ID!) { changeRequest(id: $id) { reviews(first: 5) { totalCount nodes { id status urls { location } } } } }';
  expect((await reader.graphql(query, { id })).changeRequest.reviews).toEqual({
    totalCount: 1,
    nodes: [{ id: answer.body.id, status: 'CHANGES_REQUESTED', urls: answer.body.urls }],
  });
});

test('becomes outdated when the content changes; a second review of the same revision replaces the first', async () => {
  const id = await arrange.changeRequest(editor, spaceId);
  const { review: first } = await submit(reviewer, id, 'CHANGES_REQUESTED');
  site.advance(1_000);
  const { review: again } = await submit(reviewer, id, 'APPROVED');
  expect(again).toMatchObject({ id: first.id, status: 'APPROVED', createdAt: first.createdAt });
  expect(again.updatedAt > first.updatedAt).toBe(true);
  await arrange.edit(editor, id, { insertPage: { title: 'More' } });
  const { review: second } = await submit(creator, id, 'APPROVED');
  const listed = async (query: string) =>
    (await reader.restAs('getReviewsByChangeRequestId', 'GET', `${path(id)}${query}`, undefined, { beyond: true })).body
      .items;
  expect((await listed('')).map((item: { id: string; outdated: boolean }) => [item.id, item.outdated])).toEqual([
    [second.id, false],
    [first.id, true],
  ]);
  expect((await listed('?outdated=true')).map((item: { id: string }) => item.id)).toEqual([first.id]);
  expect((await listed('?outdated=false')).map((item: { id: string }) => item.id)).toEqual([second.id]);
  expect((await reader.get(`${path(id)}?outdated=maybe`)).status).toBe(400);
});

test('authors cannot approve their own change request, but can request changes', async () => {
  const id = await arrange.changeRequest(reviewer, spaceId);
  const { status, body } = await reviewer.post(path(id), { status: 'approved' });
  expect([status, body.error.message]).toEqual([403, expect.stringContaining('your own')]);
  await expect(submit(reviewer, id, 'APPROVED')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect((await submit(reviewer, id, 'CHANGES_REQUESTED')).review.status).toBe('CHANGES_REQUESTED');
});

test.each(['merged', 'archived'] as const)('refuses to review a %s change request', async (status) => {
  const id = await arrange.changeRequest(editor, spaceId);
  await site.app.services.db.updateTable('change_request').set({ status }).where('id', '=', id).execute();
  expect((await reviewer.post(path(id), { status: 'approved' })).status).toBe(409);
  await expect(submit(reviewer, id, 'APPROVED')).rejects.toMatchObject({ code: 'CONFLICT' });
});

test.each([
  ['an editor', editor, 403, 'FORBIDDEN'],
  ['a commenter', commenter, 403, 'FORBIDDEN'],
  ['an outsider', outsider, 404, 'NOT_FOUND'],
  ['an anonymous caller', anonymous, 401, 'UNAUTHENTICATED'],
] as const)('%s is refused, whatever else is wrong', async (_who, caller, status, code) => {
  const id = await arrange.changeRequest(admin, spaceId);
  for (const given of ['approved', 'perfect']) {
    expect((await caller.post(path(id), { status: given })).status).toBe(status);
  }
  await expect(submit(caller, id, 'APPROVED')).rejects.toMatchObject({ code });
});

test('refuses an unknown or missing status, and hides a review of another change request', async () => {
  const [one, other] = [await arrange.changeRequest(editor, spaceId), await arrange.changeRequest(editor, spaceId)];
  for (const given of [{}, { status: 'open' }, { status: 1 }]) {
    expect((await reviewer.post(path(one), given)).status).toBe(400);
  }
  const { body } = await reviewer.post(path(one), { status: 'approved' });
  expect((await reader.get(`${path(other)}/${body.id}`)).status).toBe(404);
  expect((await reader.get(`${path(one)}/review_00000000000000000000000000`)).status).toBe(404);
  expect((await outsider.get(`${path(one)}/${body.id}`)).status).toBe(404);
  expect((await outsider.get(path(one))).status).toBe(404);
});

test('is not stored for another version than the expected one', async () => {
  const id = await arrange.changeRequest(editor, spaceId);
  const read = async () => {
    const tag = (await reviewer.get(`/v1/spaces/${spaceId}/change-requests/${id}`)).headers.get('etag') ?? '';
    const { changeRequest } = await reviewer.graphql('query($id: ID!) { changeRequest(id: $id) { version } }', { id });
    return { tag, version: changeRequest.version };
  };
  const inGraph = (expectedVersion: string) =>
    reviewer.mutate('submitReview', { changeRequestId: id, status: 'APPROVED', expectedVersion }, FIELDS);
  const inRest = (tag: string) => reviewer.send('POST', path(id), { status: 'approved' }, { 'if-match': tag });
  const before = await read();
  await arrange.edit(editor, id, { insertPage: { title: 'Swapped' } });
  await expect(inGraph(before.version)).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
  expect((await inRest(before.tag)).status).toBe(412);
  expect((await reader.get(path(id))).body.items).toEqual([]);
  const now = await read();
  expect((await inGraph(now.version)).review).toMatchObject({ status: 'APPROVED', outdated: false });
  // A review does not change the change request: its version stays.
  expect((await inRest(now.tag)).status).toBe(201);
});

test('the same key submits once', async () => {
  const id = await arrange.changeRequest(editor, spaceId);
  const given = { changeRequestId: id, status: 'APPROVED', idempotencyKey: 'r1' };
  const [one, two] = [
    await reviewer.mutate('submitReview', given, FIELDS),
    await reviewer.mutate('submitReview', given, FIELDS),
  ];
  expect(two).toEqual(one);
});
