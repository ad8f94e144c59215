import { expect, test } from 'vitest';
import { type Client, statementsOf } from '../../client.ts';
import { world } from '../../world.ts';
import { arrangeIn } from './arrange.ts';

const site = await world();
const { admin, commenter, editor, reader, guest, outsider, anonymous, organizationId } = site;
const arranged = await arrangeIn(site);
const { spaceId, path, pageId, otherPageId, changeRequest } = arranged;
const below = `${path}/change-requests/${changeRequest.id}`;

const ids = async (address: string, by = reader) => {
  const { body } = await by.get(address);
  return body.items.map(({ id }: { id: string }) => id);
};

const inGraph = async (given: string) => {
  const query = `query($id: ID!) { space(id: $id) { comments(${given}) { totalCount nodes { id } } } }`;
  const { space } = await reader.graphql(query, { id: spaceId });
  return space.comments.nodes.map(({ id }: { id: string }) => id);
};

const one = await arranged.comment(commenter, 'One', { page: pageId });
const two = await arranged.comment(editor, 'Two', { page: otherPageId });
const three = await arranged.comment(commenter, 'Three');
await editor.put(two.at, { resolved: true });
const onChange = await arranged.comment(commenter, 'On the change', { page: pageId }, below);
await arranged.reply(admin, onChange);

test('lists newest or oldest first, change requests separately', async () => {
  expect(await ids(`${path}/comments`)).toEqual([three.id, two.id, one.id]);
  expect(await ids(`${path}/comments?order=asc`)).toEqual([one.id, two.id, three.id]);
  expect(await inGraph('first: 50')).toEqual([three.id, two.id, one.id]);
  expect(await inGraph('orderBy: { field: POSTED_AT, direction: ASC }')).toEqual([one.id, two.id, three.id]);
  expect(await ids(`${below}/comments`)).toEqual([onChange.id]);
  const { body } = await reader.restAs('listCommentsInChangeRequest', 'GET', `${below}/comments`);
  expect(body).toMatchObject({ count: 1, items: [{ id: onChange.id, replies: 1 }] });
});

test.each([
  ['status=open', 'status: OPEN', [three.id, one.id]],
  ['status=resolved', 'status: RESOLVED', [two.id]],
  ['status=all', 'status: ALL', [three.id, two.id, one.id]],
  [`targetPage=${pageId}`, `targetPage: "${pageId}"`, [one.id]],
  ['targetPage=page_x', 'targetPage: "page_x"', []],
  [`authors=${editor.userId}`, `authors: ["${editor.userId}"]`, [two.id]],
  [
    `authors=${editor.userId}&authors=${commenter.userId}&status=open`,
    `authors: ["${editor.userId}", "${commenter.userId}"], status: OPEN`,
    [three.id, one.id],
  ],
  ['authors=user_x', 'authors: ["user_x"]', []],
])('filtered by %s', async (inRest, given, expected) => {
  expect(await ids(`${path}/comments?${inRest}`)).toEqual(expected);
  expect(await inGraph(given)).toEqual(expected);
});

test.each(['order=up', 'status=closed', 'format=html', 'limit=-1', 'page=x'])('refuses %s', async (query) => {
  const { status, body } = await reader.get(`${path}/comments?${query}`);
  expect([status, body.error.message]).toEqual([400, expect.stringContaining(query.split('=')[0] ?? '')]);
});

test('pages through all of them, on both transports', async () => {
  const first = await reader.restAs('listCommentsInSpace', 'GET', `${path}/comments?limit=2&order=asc&format=document`);
  expect(first.body.items[0].body.document.object).toBe('document');
  expect(await ids(`${path}/comments?limit=2&order=asc&page=${first.body.next.page}`)).toEqual([three.id]);
  // A cursor is of one order.
  expect((await reader.get(`${path}/comments?limit=2&page=${first.body.next.page}`)).status).toBe(400);
  const query = `query($id: ID!, $after: String) { space(id: $id) { comments(first: 2, after: $after) {
    nodes { id } pageInfo { hasNextPage endCursor } } } }`;
  const { space } = await reader.graphql(query, { id: spaceId });
  expect(space.comments.nodes).toHaveLength(2);
  const next = await reader.graphql(query, { id: spaceId, after: space.comments.pageInfo.endCursor });
  expect(next.space.comments).toMatchObject({ nodes: [{ id: one.id }], pageInfo: { hasNextPage: false } });
});

test('counts open comments on the space and on the change request', async () => {
  const query = `query($id: ID!, $cr: ID!) { space(id: $id) { openCommentsCount } changeRequest(id: $cr) { openCommentsCount } }`;
  const given = { id: spaceId, cr: changeRequest.id };
  expect(await reader.graphql(query, given)).toEqual({
    space: { openCommentsCount: 2 },
    changeRequest: { openCommentsCount: 1 },
  });
  expect((await reader.get(path)).body.comments).toBe(2);
  expect((await reader.get(below)).body.comments).toBe(1);
});

test.each([
  ['a guest', guest, 404],
  ['an outsider', outsider, 404],
  ['an anonymous caller', anonymous, 401],
])('refuses %s', async (_who, by: Client, status) => {
  for (const address of [path, below]) {
    for (const list of ['comments', 'commenters']) expect((await by.get(`${address}/${list}`)).status).toBe(status);
  }
  expect((await by.get(one.at)).status).toBe(status);
});

test('lists members who posted a comment or reply as commenters', async () => {
  const query = `query($id: ID!, $cr: ID!) {
    space(id: $id) { commenters(first: 10) { totalCount nodes { role user { displayName } } } }
    changeRequest(id: $cr) { commenters { nodes { user { displayName } } } } }`;
  const { space, changeRequest: change } = await reader.graphql(query, { id: spaceId, cr: changeRequest.id });
  const names = (list: { nodes: { user: { displayName: string } }[] }) =>
    list.nodes.map(({ user }) => user.displayName).sort();
  expect([names(space.commenters), space.commenters.totalCount]).toEqual([['Commenter', 'Editor'], 2]);
  expect(names(change.commenters)).toEqual(['Admin', 'Commenter']);
  const { body } = await reader.restAs('listCommentersInSpace', 'GET', `${path}/commenters`);
  const member = { object: 'member', id: commenter.userId, role: 'comment', spaces: 1, teams: 0, sso: false };
  expect(body).toMatchObject({ count: 2, items: expect.arrayContaining([expect.objectContaining(member)]) });
  await reader.restAs('listCommentersInChangeRequest', 'GET', `${below}/commenters`);
});

test('guests see who comments, but not what other lists of members hide from them', async () => {
  const email = 'jane@staff.example';
  const lastSeenAt = '2026-01-01T00:00:00.000Z';
  await site.app.services.db
    .updateTable('membership')
    .set({ email, lastSeenAt, isSso: true, isBreakGlass: true })
    .where('userId', '=', commenter.userId)
    .execute();
  await admin.put(`/v1/orgs/${organizationId}/teams`, { title: 'Staff', members: [commenter.userId] });
  const space = (await admin.mutate('createSpace', { organizationId, title: 'Shared' }, 'space { id }')).space.id;
  const at = `/v1/spaces/${space}`;
  const { body: change } = await editor.post(`${at}/change-requests`, {});
  const onChange = `${at}/change-requests/${change.id}`;
  await site.grant(space, guest.userId, 'comment');
  for (const by of [commenter, guest]) {
    for (const below of [at, onChange]) await arranged.comment(by, 'Hello', {}, below);
  }
  const LIST = `commenters(first: 10) { totalCount nodes {
    email role disabled lastSeenAt sso breakGlass spacesCount sitesCount teamsCount
    teams { totalCount nodes { title } } spaces { totalCount } user { displayName email } } }`;
  const query = `query($id: ID!, $cr: ID!) { space(id: $id) { ${LIST} } changeRequest(id: $cr) { ${LIST} } }`;
  const hidden = {
    ...{ email: null, role: 'COMMENT', disabled: false, lastSeenAt: null, sso: false, breakGlass: false },
    ...{ spacesCount: 0, sitesCount: 0, teamsCount: 0, teams: { totalCount: 0, nodes: [] }, spaces: { totalCount: 0 } },
    user: { displayName: 'Commenter', email: null },
  };
  const own = { email: 'guest@acme.example', role: null, spacesCount: 1, spaces: { totalCount: 1 } };
  const shown = {
    email,
    lastSeenAt,
    sso: true,
    breakGlass: true,
    teams: { totalCount: 1, nodes: [{ title: 'Staff' }] },
  };
  const ofGuest = await guest.graphql(query, { id: space, cr: change.id });
  const ofReader = await reader.graphql(query, { id: space, cr: change.id });
  for (const kind of ['space', 'changeRequest']) {
    const { totalCount, nodes } = ofGuest[kind].commenters;
    expect(totalCount).toBe(2);
    expect(nodes).toContainEqual(hidden);
    expect(nodes).toContainEqual(expect.objectContaining(own));
    expect(ofReader[kind].commenters.nodes).toContainEqual(expect.objectContaining(shown));
  }
  for (const [below, of] of [
    [at, 'Space'],
    [onChange, 'ChangeRequest'],
  ]) {
    const { body } = await guest.restAs(`listCommentersIn${of}`, 'GET', `${below}/commenters`);
    const { user, joinedAt, ...rest } = body.items.find(({ id }: { id: string }) => id === commenter.userId);
    expect([user.displayName, user.email, typeof joinedAt]).toEqual(['Commenter', undefined, 'string']);
    expect(rest).toEqual({
      ...{ object: 'member', id: commenter.userId, role: 'comment', disabled: false, sso: false, breakGlass: false },
      ...{ roleOfProvider: false, spaces: 0, sites: 0, teams: 0 },
    });
  }
});

test('comments stay when their target is edited, moved or deleted', async () => {
  const comment = await arranged.comment(commenter, 'On a block', { page: pageId, node: arranged.node });
  const READ = `query($id: ID!) { node(id: $id) { ... on Comment { target { pageId node page { title path } } } } }`;
  const target = async () => (await reader.graphql(READ, { id: comment.id })).node.target;
  const edit = (change: object) =>
    admin.mutate('updateSpaceContent', { spaceId, changes: [change] }, 'revision { id }');
  const markdown = '# Start\n\nBefore it.\n\nA first paragraph, edited.\n';
  await edit({ updatePage: { pageId, title: 'Renamed', document: { markdown } } });
  expect(await target()).toEqual({ pageId, node: arranged.node, page: { title: 'Renamed', path: 'start' } });
  const { body } = await reader.get(`${path}/content/page/${pageId}`);
  const keys = body.document.nodes.map(({ key }: { key: string }) => key);
  expect(keys).toContain(arranged.node);
  await edit({ deletePage: { pageId } });
  expect(await target()).toEqual({ pageId, node: arranged.node, page: null });
  expect(await ids(`${path}/comments?targetPage=${pageId}`)).toEqual([comment.id, one.id]);
  expect((await reader.get(comment.at)).body.target).toMatchObject({ page: { id: pageId } });
});

const WHOLE = `query($id: ID!, $first: Int!) { changeRequest(id: $id) { comments(first: $first) { nodes {
  id postedAt status editedAt postedBy { id displayName } resolvedBy { id } body { markdown document } repliesCount
  repliers { count user { id } } reactions { emoji count users { user { id } reactedAt } }
  target { pageId node page { title } space { id } changeRequest { id } } permissions { view edit reply delete }
  replies(first: 5) { nodes { id body { markdown } postedBy { displayName } permissions { edit } reactions { emoji } } } } } } }`;

test('a hundred comments with all related objects take as many statements as three', async () => {
  const people = [commenter, editor, admin];
  const count = async (first: number) => {
    const answer = await reader.graphqlRaw(WHOLE, { id: changeRequest.id, first });
    expect(answer.body.errors).toBeUndefined();
    return { size: answer.body.data.changeRequest.comments.nodes.length, statements: statementsOf(answer) };
  };
  const write = async (count: number) => {
    for (let made = 0; made < count; made++) {
      const by = people[made % people.length] ?? commenter;
      const comment = await arranged.comment(by, `Number ${made}`, { page: otherPageId }, below);
      const reply = await arranged.reply(editor, comment);
      for (const at of [comment.at, reply.at]) await by.put(at, { addedReactions: ['👍', '🎉'] });
    }
  };
  await write(4);
  const few = await count(3);
  await write(100);
  const many = await count(100);
  expect([few.size, many.size]).toEqual([3, 100]);
  // Loads of users that are wanted in another tick of the event loop have another statement.
  expect(many.statements).toBeLessThanOrEqual(few.statements + 2);
  const [three, hundred] = [
    await reader.get(`${below}/comments?limit=3`),
    await reader.get(`${below}/comments?limit=100`),
  ];
  expect(hundred.body.items).toHaveLength(100);
  expect(statementsOf(hundred)).toBe(statementsOf(three));
}, 120_000);
