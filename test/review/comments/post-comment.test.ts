import { expect, test } from 'vitest';
import { statementsOf } from '../../client.ts';
import { world } from '../../world.ts';
import { arrangeIn, pathIn } from './arrange.ts';

const site = await world();
const { app, admin, commenter, reviewer, reader, guest, outsider, anonymous, organizationId } = site;
const arranged = await arrangeIn(site);
const { spaceId, pageId, node, table, tableCell, changeRequest, path, revisionId } = arranged;
const changeRequestPath = `${path}/change-requests/${changeRequest.id}`;
const post = (input: Record<string, unknown>, by = commenter) =>
  by.mutate('postComment', { body: { markdown: 'Hello' }, ...input }, 'comment { id body { markdown } }');

test('posts on a space, and is read on both transports', async () => {
  const { comment } = await commenter.mutate(
    'postComment',
    { spaceId, body: { markdown: 'Hello **world**' } },
    `comment { id postedAt editedAt status resolvedAt body { markdown document } postedBy { id displayName } repliesCount
       target { pageId node page { title } space { id } changeRequest { id } revisionId }
       reactions { emoji } repliers { count } permissions { view edit reply delete } urls { location } }`,
  );
  expect(comment).toMatchObject({
    editedAt: null,
    status: 'OPEN',
    body: { markdown: 'Hello **world**', document: { object: 'document' } },
    postedBy: { id: commenter.userId, displayName: 'Commenter' },
    repliesCount: 0,
    target: { pageId: null, node: null, page: null, space: { id: spaceId }, changeRequest: null, revisionId },
    reactions: [],
    repliers: [],
    permissions: { view: true, edit: true, reply: true, delete: true },
  });
  const { body } = await reader.restAs('getCommentInSpace', 'GET', pathIn(comment.urls.location));
  expect(body).toMatchObject({
    object: 'comment',
    id: comment.id,
    body: { markdown: 'Hello **world**' },
    status: 'open',
    target: { space: spaceId, revision: revisionId },
    permissions: { view: true, edit: false, reply: false, delete: false },
  });
  expect(
    (await reader.graphql('query($id: ID!) { node(id: $id) { __typename id } }', { id: comment.id })).node,
  ).toEqual({
    __typename: 'Comment',
    id: comment.id,
  });
});

test('comments and replies are written with few statements, and show their author as later reads do', async () => {
  const user = 'id displayName photoUrl createdAt version';
  const write = async (name: string, field: string, input: object) => {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
    const document = `mutation($input: ${type}!) { ${name}(input: $input) { ${field} { id postedBy { ${user} } } } }`;
    const variables = { input: { ...input, body: { markdown: 'Hello' } } };
    const answer = await commenter.graphqlRaw(document, variables);
    return { statements: statementsOf(answer), ...answer.body.data[name][field] };
  };
  // Reads the map of the access, which commands do not wait for.
  await commenter.get(path);
  const comment = await write('postComment', 'comment', { spaceId });
  const reply = await write('postCommentReply', 'commentReply', { commentId: comment.id });
  const { viewer } = await commenter.graphql(`{ viewer { ${user} } }`);
  expect([comment.postedBy, reply.postedBy]).toEqual([viewer, viewer]);
  expect([comment.statements, reply.statements]).toEqual([2, 2]);
  const posted = await commenter.post(`${path}/comments`, { body: { markdown: 'Hello' } });
  const { body: read } = await commenter.get(`${path}/comments/${posted.body.id}`);
  expect(posted.body.postedBy).toEqual(read.postedBy);
});

test('posts on a page, a node and a cell of a table', async () => {
  const onCell = await arranged.comment(commenter, 'This cell', { page: pageId, node: table, tableCell });
  expect(onCell.target).toEqual({
    page: { id: pageId },
    node: { id: table },
    tableCell,
    space: spaceId,
    revision: revisionId,
  });
  const { node: found } = await reader.graphql(
    `query($id: ID!) { node(id: $id) { ... on Comment { target { pageId node page { title } tableCell { record definition } } } } }`,
    { id: onCell.id },
  );
  expect(found.target).toEqual({ pageId, node: table, page: { title: 'Start' }, tableCell });
  expect((await post({ spaceId, pageId, node })).comment.id).toMatch(/^comment_/);
});

test('posts on a change request, by id and by number, and on its content', async () => {
  for (const name of [changeRequest.id, changeRequest.number]) {
    const below = `${path}/change-requests/${name}`;
    const comment = await arranged.comment(commenter, 'On the change', { page: pageId, node }, below);
    expect(comment.target).toMatchObject({ changeRequest: changeRequest.id, page: { id: pageId }, node: { id: node } });
    expect(comment.urls.location).toContain(changeRequestPath);
  }
  const byId = await post({ changeRequestId: changeRequest.id });
  expect((await reader.get(`${changeRequestPath}/comments/${byId.comment.id}`)).status).toBe(200);
  expect((await reader.get(`${path}/comments/${byId.comment.id}`)).status).toBe(404);
});

test('finds a page that only the change request has there, and not in the space', async () => {
  const changes = [{ insertPage: { title: 'New' } }];
  const input = { changeRequestId: changeRequest.id, changes };
  const { pageIds } = await admin.mutate('updateChangeRequestContent', input, 'pageIds');
  const onNew = await post({ changeRequestId: changeRequest.id, pageId: pageIds[0] });
  expect(onNew.comment.id).toMatch(/^comment_/);
  await expect(post({ spaceId, pageId: pageIds[0] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('posts on a review, and a review can post a comment', async () => {
  const { review } = await reviewer.mutate(
    'submitReview',
    { changeRequestId: changeRequest.id, status: 'CHANGES_REQUESTED', comment: { markdown: 'Too long' } },
    'review { id comment { body { markdown } target { review { id } changeRequest { id } } } }',
  );
  const target = { review: { id: review.id }, changeRequest: { id: changeRequest.id } };
  expect(review.comment).toEqual({ body: { markdown: 'Too long' }, target });
  const answer = await arranged.comment(commenter, 'It is', { review: review.id }, changeRequestPath);
  expect(answer.target).toMatchObject({ review: review.id, changeRequest: changeRequest.id });
  const { body } = await reader.get(`${changeRequestPath}/reviews/${review.id}`);
  expect(body.comment).toMatchObject({ body: { markdown: 'Too long' }, postedBy: { id: reviewer.userId } });
  await expect(post({ spaceId, reviewId: review.id })).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  const unknown = await commenter.post(`${changeRequestPath}/comments`, {
    body: { markdown: 'x' },
    review: 'review_x',
  });
  expect([unknown.status, unknown.body.error.message]).toEqual([400, expect.stringMatching(/^review:/)]);
  const empty = { status: 'changes-requested', comment: {} };
  expect((await reviewer.post(`${changeRequestPath}/reviews`, empty)).status).toBe(400);
});

test.each([
  ['a page that is not there', { pageId: 'page_01jd0000000000000000000001' }, 'NOT_FOUND', 404],
  ['a node that is not there', { pageId, node: 'nothing' }, 'NOT_FOUND', 404],
  ['a node of a page without a body', { pageId: arranged.otherPageId, node }, 'NOT_FOUND', 404],
  ['a node without its page', { node }, 'BAD_USER_INPUT', 400],
  ['a cell without its table', { pageId, tableCell }, 'BAD_USER_INPUT', 400],
  ['a cell of what is no table', { pageId, node, tableCell }, 'BAD_USER_INPUT', 400],
  ['an unknown cell', { pageId, node: table, tableCell: { record: 'x', definition: 'y' } }, 'BAD_USER_INPUT', 400],
])('refuses %s', async (_what, target, code, status) => {
  await expect(post({ spaceId, ...target })).rejects.toMatchObject({ code });
  const { pageId: page, ...rest } = target as { pageId?: string };
  const answer = await commenter.post(`${path}/comments`, { body: { markdown: 'Hello' }, page, ...rest });
  expect(answer.status).toBe(status);
});

test.each([
  ['no body', undefined],
  ['an empty one', {}],
  ['no text', { markdown: '' }],
  ['white space', { markdown: ' \n\n ' }],
  ['nothing that shows', { markdown: '<!-- nothing -->' }],
  ['50,001 characters', { markdown: 'x'.repeat(50_001) }],
  ['an empty document', { document: { object: 'document', data: { schemaVersion: 8 }, nodes: [] } }],
  ['what is no document', { document: { object: 'space' } }],
  ['half of a character', { markdown: 'a\ud800' }],
  ['NUL', { markdown: 'a\u0000' }],
])('refuses as a body %s', async (_what, body) => {
  const answer = await commenter.post(`${path}/comments`, { body });
  expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining('body')]);
});

test('takes 50,000 characters, counted as code points', async () => {
  for (const markdown of ['x'.repeat(50_000), `${'é😀 '.repeat(16_666)}ab`]) {
    const comment = await arranged.comment(commenter, markdown);
    expect([...comment.body.markdown].length).toBe(50_000);
  }
}, 60_000);

test('stores a document unchanged, and returns both formats', async () => {
  const text = { object: 'text', leaves: [{ object: 'leaf', text: 'Hi', marks: [{ object: 'mark', type: 'bold' }] }] };
  const block = { object: 'block', type: 'paragraph', key: 'k1', isVoid: false, data: {}, nodes: [text] };
  const document = { object: 'document', data: { schemaVersion: 8 }, nodes: [block] };
  const { body } = await commenter.restAs('postCommentInSpace', 'POST', `${path}/comments?format=document`, {
    body: { document },
  });
  expect(body.body.document).toMatchObject(document);
  expect((await reader.get(pathIn(body.urls.location))).body.body).toEqual({ markdown: '**Hi**' });
  expect((await reader.get(`${pathIn(body.urls.location)}?format=html`)).status).toBe(400);
});

test('hostile Markdown is stored as text', async () => {
  const markdown = 'a <script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1))\r\n\r\n</div>';
  const comment = await arranged.comment(commenter, markdown);
  expect(comment.body.markdown).not.toMatch(/(^|[^\\])<(script|img|\/div)/);
  const { body } = await reader.get(`${comment.at}?format=document`);
  expect(JSON.stringify(body.body.document)).not.toMatch(/"type":"(script|html)"/);
});

test.each([
  ['a reader', reader, 'FORBIDDEN', 403],
  ['a guest', guest, 'NOT_FOUND', 404],
  ['an outsider', outsider, 'NOT_FOUND', 404],
  ['an anonymous caller', anonymous, 'UNAUTHENTICATED', 401],
])('refuses %s, whatever they send', async (_who, by, code, status) => {
  for (const markdown of ['Hello', '']) {
    await expect(post({ spaceId, body: { markdown } }, by)).rejects.toMatchObject({ code });
    await expect(post({ changeRequestId: changeRequest.id, body: { markdown } }, by)).rejects.toMatchObject({ code });
    for (const below of [path, changeRequestPath]) {
      expect((await by.post(`${below}/comments`, { body: { markdown } })).status).toBe(status);
    }
  }
});

test('refuses a missing discussion, and a change request of another space', async () => {
  await expect(post({})).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  await expect(post({ changeRequestId: 'cr_x' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const other = await arrangeIn(site);
  await expect(post({ spaceId: other.spaceId, changeRequestId: changeRequest.id })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  const foreign = `/v1/spaces/${other.spaceId}/change-requests/${changeRequest.id}/comments`;
  expect((await commenter.post(foreign, { body: { markdown: 'x' } })).status).toBe(404);
});

test('repeating an idempotency key posts once', async () => {
  const key = { 'idempotency-key': 'once' };
  const send = () => commenter.send('POST', `${path}/comments`, { body: { markdown: 'Once' } }, key);
  const [first, second] = [await send(), await send()];
  expect([second.status, second.body]).toEqual([200, first.body]);
});

test('a blocked organization takes no comments', async () => {
  const blocked = async (value: { source: string; reason: string } | null) =>
    app.services.db
      .updateTable('organization')
      .set({ blocked: value as never })
      .where('id', '=', organizationId)
      .execute();
  const own = await arranged.comment(commenter);
  await blocked({ source: 'operator', reason: 'unpaid' });
  await expect(post({ spaceId })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect((await commenter.put(own.at, { body: { markdown: 'x' } })).status).toBe(403);
  expect((await commenter.delete(own.at)).status).toBe(403);
  await blocked(null);
});

test('posting records an event', async () => {
  const comment = await arranged.comment(commenter, 'Told', {}, changeRequestPath);
  expect((await site.eventsBy('type=comment_posted')).at(-1)).toMatchObject({
    actor: commenter.userId,
    space: spaceId,
    ids: { spaceId, changeRequestId: changeRequest.id, commentId: comment.id },
  });
});
