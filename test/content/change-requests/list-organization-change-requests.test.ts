import { expect, test } from 'vitest';
import { type Client, statementsOf } from '../../client.ts';
import { contentOf } from '../../people/access/content.ts';
import { expectShape } from '../../shapes.ts';
import { world } from '../../world.ts';
import { arrangeIn } from './arrange.ts';

const site = await world();
const { app, organizationId, otherOrganizationId, admin, editor, reader, guest, outsider, anonymous, grant } = site;
const arrange = arrangeIn(site);
const path = `/v1/orgs/${organizationId}/change-requests`;

const [docs, closed, shown, deleted] = [
  await arrange.space(),
  await arrange.space(),
  await arrange.space(),
  await arrange.space(),
];
const inDocs = (await arrange.changeRequest(editor, docs, { status: 'open' })).id;
const inClosed = (await arrange.changeRequest(editor, closed, { status: 'open' })).id;
const inShown = (await arrange.changeRequest(editor, shown, { status: 'open' })).id;
const draft = (await arrange.changeRequest(editor, docs)).id;
await arrange.changeRequest(editor, deleted, { status: 'open' });
const theirSpace = await arrange.space({ by: outsider, organizationId: otherOrganizationId });
const theirs = (await arrange.changeRequest(outsider, theirSpace, { status: 'open' })).id;

await admin.delete(`/v1/spaces/${deleted}`);
await grant(closed, reader.userId, 'none');
await contentOf(app.services.db, organizationId).site({ spaces: [shown], isPublished: true });

/** The comments that a caller finds with the same arguments on both transports. */
async function found(caller: Client, graphArguments = 'first: 9', restQuery = ''): Promise<string[]> {
  const query = `query($id: ID!) { organization(id: $id) { changeRequests(${graphArguments}) { totalCount nodes { id } } } }`;
  const { organization } = await caller.graphql(query, { id: organizationId });
  const { body } = await caller.restAs('listChangeRequestsForOrganization', 'GET', `${path}?${restQuery}`);
  const ids: string[] = body.items.map(({ id }: { id: string }) => id);
  expect(organization.changeRequests).toEqual({ totalCount: ids.length, nodes: ids.map((id) => ({ id })) });
  expect(body.count).toBe(ids.length);
  return ids;
}

test('lists those of every space that the caller has a role on, last changed first', async () => {
  expect(await found(admin)).toEqual([inShown, inClosed, inDocs]);
  expect(await found(editor)).toEqual([inShown, inClosed, inDocs]);
});

test('leaves out spaces that the caller cannot see, also from counts', async () => {
  expect(await found(reader)).toEqual([inShown, inDocs]);
});

test('shows a guest the granted spaces, but not those of published sites', async () => {
  expect(await found(guest)).toEqual([]);
  await grant(docs, guest.userId, 'read');
  expect(await found(guest)).toEqual([inDocs]);
});

test('filters as the list of a space does', async () => {
  expect(await found(editor, 'status: DRAFT', 'status=draft')).toEqual([draft]);
  expect(await found(editor, 'status: ALL', 'status=all')).toEqual([draft, inShown, inClosed, inDocs]);
  expect(await found(editor, `creator: "${admin.userId}"`, `creator=${admin.userId}`)).toEqual([]);
  await arrange.revision(admin, docs, inDocs);
  expect(await found(editor, `contributor: "${admin.userId}"`, `contributor=${admin.userId}`)).toEqual([inDocs]);
});

test('pages both ways, with cursors of its own', async () => {
  const first = await admin.get(`${path}?limit=2`);
  const rest = await admin.get(`${path}?limit=2&page=${first.body.next.page}`);
  expect([...first.body.items, ...rest.body.items].map(({ id }) => id)).toEqual([inShown, inClosed, inDocs]);
  expect(rest.body).not.toHaveProperty('next');
  const query = `query($id: ID!, $before: String) { organization(id: $id) {
    changeRequests(last: 2, before: $before) { nodes { id } pageInfo { hasPreviousPage startCursor } } } }`;
  const end = (await admin.graphql(query, { id: organizationId })).organization.changeRequests;
  expect(end).toMatchObject({ nodes: [{ id: inClosed }, { id: inDocs }], pageInfo: { hasPreviousPage: true } });
  const before = { id: organizationId, before: end.pageInfo.startCursor };
  expect((await admin.graphql(query, before)).organization.changeRequests.nodes).toEqual([{ id: inShown }]);
  const ofSpace = `/v1/spaces/${docs}/change-requests?page=${first.body.next.page}`;
  expect((await admin.get(ofSpace)).status).toBe(400);
});

test('keeps organizations apart', async () => {
  const { body } = await outsider.get(`/v1/orgs/${otherOrganizationId}/change-requests`);
  expect(body.items.map(({ id }: { id: string }) => id)).toEqual([theirs]);
});

test.each([
  ['an outsider', outsider, 404],
  ['an anonymous caller', anonymous, 401],
])('refuses %s, whatever else is wrong with the input', async (_who, caller, expected) => {
  for (const query of ['', '?status=closed']) {
    const { status, body } = await caller.get(`${path}${query}`);
    expect(status).toBe(expected);
    expectShape('listChangeRequestsForOrganization', status, body);
  }
});

test('refuses an unknown status', async () => {
  expect((await reader.get(`${path}?status=closed`)).status).toBe(400);
});

test('reads change requests of 20 spaces with their people and spaces in as many statements as of one', async () => {
  for (let count = 0; count < 18; count++)
    await arrange.changeRequest(editor, await arrange.space(), { status: 'open' });
  const query = `query($id: ID!, $first: Int!) { organization(id: $id) { spaces(first: $first) { nodes { id
    changeRequests(first: 10, status: ALL) { totalCount pageInfo { hasNextPage } nodes {
      id number subject outdated createdBy { id displayName } space { id } contributors(first: 5) { nodes { id displayName } }
    } } } } } }`;
  const read = (first: number) => admin.graphqlRaw(query, { id: organizationId, first });
  await read(1);
  const [one, twenty] = [await read(1), await read(20)];
  for (const { body } of [one, twenty]) expect(body.errors).toBeUndefined();
  expect(twenty.body.data.organization.spaces.nodes).toHaveLength(20);
  expect(statementsOf(twenty)).toBe(statementsOf(one));
});

test('takes one statement for each level of the nested query', async () => {
  const query = `query($id: ID!) { organization(id: $id) { title spaces(first: 20) { nodes { id title
    changeRequests(first: 10, status: ALL) { nodes { id number subject createdBy { id displayName } } } } } } }`;
  await admin.graphqlRaw(query, { id: organizationId });
  expect(statementsOf(await admin.graphqlRaw(query, { id: organizationId }))).toBe(4);
});

test('presents a page of REST in as many statements for 20 items as for one', async () => {
  const read = (limit: number) => admin.get(`${path}?limit=${limit}`);
  const [one, twenty] = [await read(1), await read(20)];
  expect(twenty.body.items).toHaveLength(20);
  expect(statementsOf(twenty)).toBe(statementsOf(one));
});
