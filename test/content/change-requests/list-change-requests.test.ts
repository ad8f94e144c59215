import { expect, test } from 'vitest';
import { newId } from '../../../src/platform/ids/ids.ts';
import { contentOf } from '../../people/access/content.ts';
import { expectShape } from '../../shapes.ts';
import { world } from '../../world.ts';
import { arrangeIn } from './arrange.ts';

const site = await world();
const { app, organizationId, admin, editor, reviewer, reader, guest, outsider, anonymous, grant } = site;
const arrange = arrangeIn(site);
const spaceId = await arrange.space();
const path = `/v1/spaces/${spaceId}/change-requests`;
const cluster = newId('cluster');

// In order of update, which the list reverses.
await arrange.changeRequest(editor, spaceId);
const second = await arrange.changeRequest(reviewer, spaceId, { status: 'open' });
await arrange.changeRequest(editor, spaceId, { status: 'archived' });
await arrange.changeRequest(editor, spaceId, { status: 'merged', issuesClusterId: cluster });
await arrange.changeRequest(editor, spaceId, { status: 'open', issuesClusterId: cluster });
await arrange.changeRequest(reviewer, spaceId, { status: 'open' });
await arrange.revision(editor, spaceId, second.id);
await arrange.revision(admin, spaceId, null);

/** Numbers in the list of a space, in order, with the same arguments on both transports. */
async function numbers(graphArguments: string, restQuery: string): Promise<number[]> {
  const query = `query($id: ID!) { space(id: $id) { changeRequests(${graphArguments}) { totalCount nodes { number } } } }`;
  const { space } = await reader.graphql(query, { id: spaceId });
  const { body } = await reader.restAs('listChangeRequestsForSpace', 'GET', `${path}?${restQuery}`);
  const found: number[] = body.items.map(({ number }: { number: number }) => number);
  expect(space.changeRequests).toEqual({ totalCount: found.length, nodes: found.map((number) => ({ number })) });
  expect(body.count).toBe(found.length);
  return found;
}

test.each([
  ['the open ones by default', 'first: 9', '', [6, 5, 2]],
  ['drafts', 'status: DRAFT', 'status=draft', [1]],
  ['open ones', 'status: OPEN', 'status=open', [6, 5, 2]],
  ['archived ones', 'status: ARCHIVED', 'status=archived', [3]],
  ['merged ones', 'status: MERGED', 'status=merged', [4]],
  ['all', 'status: ALL', 'status=all', [6, 5, 4, 3, 2, 1]],
  ['those somebody created', `creator: "${editor.userId}"`, `creator=${editor.userId}`, [5]],
  ['those somebody worked on', `contributor: "${editor.userId}"`, `contributor=${editor.userId}`, [5, 2]],
  ['none that were worked on at the head only', `contributor: "${admin.userId}"`, `contributor=${admin.userId}`, []],
  [
    'those of a cluster, whatever their status',
    `status: ALL, issuesCluster: "${cluster}"`,
    `status=all&conversationsIssuesCluster=${cluster}`,
    [5, 4],
  ],
  [
    'those that meet every filter',
    `status: ALL, creator: "${editor.userId}", contributor: "${editor.userId}", issuesCluster: "${cluster}"`,
    `status=all&creator=${editor.userId}&contributor=${editor.userId}&conversationsIssuesCluster=${cluster}`,
    [5, 4],
  ],
  ['none for an unknown user', 'status: ALL, creator: "nobody"', 'status=all&creator=nobody', []],
  ['as if a null filter were left out', 'status: null, creator: null', '', [6, 5, 2]],
])('lists %s', async (_which, graphArguments, restQuery, expected) => {
  expect(await numbers(graphArguments, restQuery)).toEqual(expected);
});

test('orders by the last change, equal times by id', async () => {
  const tied = await arrange.space();
  const updatedAt = '2026-01-31T10:00:00.000Z';
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) ids.push((await arrange.changeRequest(editor, tied, { updatedAt })).id);
  const later = await arrange.changeRequest(editor, tied, { updatedAt: '2026-01-31T10:00:00.001Z' });
  const query = `query($id: ID!, $after: String) { space(id: $id) {
    changeRequests(first: 2, after: $after, status: ALL) { nodes { id } pageInfo { hasNextPage endCursor } } } }`;
  const seen: string[] = [];
  let pageInfo = { hasNextPage: true, endCursor: null };
  while (pageInfo.hasNextPage) {
    const { changeRequests } = (await reader.graphql(query, { id: tied, after: pageInfo.endCursor })).space;
    seen.push(...changeRequests.nodes.map(({ id }: { id: string }) => id));
    pageInfo = changeRequests.pageInfo;
  }
  expect(seen).toEqual([later.id, ...ids.toSorted().reverse()]);
});

const PAGE = `query($id: ID!, $first: Int, $after: String, $last: Int, $before: String, $status: ChangeRequestStatusFilter) {
  space(id: $id) { changeRequests(first: $first, after: $after, last: $last, before: $before, status: $status) { SELECTED } } }`;

async function page(
  variables: Record<string, unknown>,
  selected = 'nodes { number } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }',
) {
  const query = PAGE.replace('SELECTED', selected);
  const { changeRequests } = (await reader.graphql(query, { id: spaceId, status: 'ALL', ...variables })).space;
  return { ...changeRequests, numbers: changeRequests.nodes.map(({ number }: { number: number }) => number) };
}

test('pages forward and backward in the graph', async () => {
  const first = await page({ first: 4 });
  expect(first).toMatchObject({ numbers: [6, 5, 4, 3], pageInfo: { hasNextPage: true, hasPreviousPage: false } });
  const rest = await page({ first: 4, after: first.pageInfo.endCursor });
  expect(rest).toMatchObject({ numbers: [2, 1], pageInfo: { hasNextPage: false } });
  const end = await page({ last: 2 });
  expect(end).toMatchObject({ numbers: [2, 1], pageInfo: { hasPreviousPage: true, hasNextPage: false } });
  const before = await page({ last: 9, before: end.pageInfo.startCursor });
  expect(before).toMatchObject({ numbers: [6, 5, 4, 3], pageInfo: { hasPreviousPage: false } });
});

test('pages through REST', async () => {
  const first = await reader.get(`${path}?status=all&limit=4`);
  expect(first.body).toMatchObject({ count: 6, next: { page: expect.any(String) } });
  const rest = await reader.get(`${path}?status=all&limit=4&page=${first.body.next.page}`);
  expect(rest.body.items.map(({ number }: { number: number }) => number)).toEqual([2, 1]);
  expect(rest.body).not.toHaveProperty('next');
  expect((await reader.get(`${path}?limit=0`)).body).toEqual({ count: 3, items: [] });
});

test('refuses a cursor of another status, one that is made up, and sizes out of range', async () => {
  const { endCursor } = (await page({ first: 1 })).pageInfo;
  for (const variables of [
    { first: 1, after: endCursor, status: 'OPEN' },
    { first: 1, after: endCursor.replace(/^./, (first: string) => (first === 'A' ? 'B' : 'A')) },
    { first: 1, after: 'x' },
    { first: 0 },
    { last: 101 },
    { first: 1, last: 1 },
  ]) {
    await expect(page(variables, 'nodes { number }')).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  }
  for (const query of [`status=open&page=${endCursor}`, 'page=x', 'limit=1001', 'limit=-1', 'limit=x']) {
    const { status, body } = await reader.get(`${path}?${query}`);
    expect(status, query).toBe(400);
    expectShape('listChangeRequestsForSpace', status, body);
  }
});

test('refuses an unknown status', async () => {
  const { status, body } = await reader.get(`${path}?status=closed`);
  expect(status).toBe(400);
  expect(body.error.message).toContain('status: ');
  await expect(page({ status: 'CLOSED' })).rejects.toThrow('ChangeRequestStatusFilter');
});

test('names a faulty filter as REST does', async () => {
  const { status, body } = await reader.get(`${path}?conversationsIssuesCluster=${'x'.repeat(201)}`);
  expect(status).toBe(400);
  expect(body.error.message).toContain('conversationsIssuesCluster: ');
});

test.each([
  ['a guest without a grant', guest, 404],
  ['an outsider', outsider, 404],
  ['an anonymous caller', anonymous, 401],
])('refuses %s, whatever else is wrong with the input', async (_who, caller, expected) => {
  for (const query of ['', '?status=closed']) {
    const { status, body } = await caller.get(`${path}${query}`);
    expect(status).toBe(expected);
    expectShape('listChangeRequestsForSpace', status, body);
  }
});

test('shows nothing of a deleted space', async () => {
  const deleted = await arrange.space();
  await arrange.changeRequest(editor, deleted);
  await admin.delete(`/v1/spaces/${deleted}`);
  expect((await admin.get(`/v1/spaces/${deleted}/change-requests?status=all`)).status).toBe(404);
  const query = 'query($id: ID!) { space(id: $id) { changeRequests(status: ALL) { totalCount nodes { id } } } }';
  const { space } = await admin.graphql(query, { id: deleted });
  expect(space).toEqual({ changeRequests: { totalCount: 0, nodes: [] } });
});

test('requires a role on the space; access through a published site is not enough', async () => {
  const shown = await arrange.space();
  const { number } = await arrange.changeRequest(editor, shown);
  await contentOf(app.services.db, organizationId).site({ spaces: [shown], isPublished: true });
  const query = 'query($id: ID!) { space(id: $id) { changeRequests(status: ALL) { totalCount nodes { number } } } }';
  const read = async (caller: typeof guest) => ({
    graph: (await caller.graphql(query, { id: shown })).space.changeRequests,
    rest: (await caller.get(`/v1/spaces/${shown}/change-requests?status=all`)).status,
  });
  expect(await read(outsider)).toEqual({ graph: { totalCount: 0, nodes: [] }, rest: 403 });
  expect(await read(guest)).toEqual({ graph: { totalCount: 0, nodes: [] }, rest: 403 });
  expect(await read(anonymous)).toEqual({ graph: { totalCount: 0, nodes: [] }, rest: 401 });
  await grant(shown, guest.userId, 'read');
  expect(await read(guest)).toEqual({ graph: { totalCount: 1, nodes: [{ number }] }, rest: 200 });
});
