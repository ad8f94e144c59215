import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { arrangeIn } from './arrange.ts';

const site = await world();
const { admin, commenter, editor, reader, outsider, anonymous } = site;
const arranged = await arrangeIn(site);
const { path, changeRequest } = arranged;
const below = `${path}/change-requests/${changeRequest.id}`;

const THREAD = `query($id: ID!, $first: Int, $after: String) { node(id: $id) { ... on Comment {
  repliesCount repliers { count updatedAt user { id } }
  replies(first: $first, after: $after) { totalCount pageInfo { hasNextPage endCursor } nodes {
    id body { markdown document } postedBy { displayName } editedAt reactions { emoji } comment { id } urls { location }
    permissions { view edit reply delete } } } } } }`;

test.each([
  ['a space', path, 'InSpace'],
  ['a change request', below, 'InChangeRequest'],
])('replies to a comment on %s are listed oldest first, with who replied', async (_what, base, suffix) => {
  const comment = await arranged.comment(commenter, 'Well?', {}, base);
  const first = await arranged.reply(editor, comment, 'One');
  const second = await arranged.reply(admin, comment, 'Two');
  const third = await arranged.reply(editor, comment, 'Three');
  const { node } = await reader.graphql(THREAD, { id: comment.id, first: 2 });
  expect(node).toMatchObject({
    repliesCount: 3,
    repliers: [
      { count: 2, updatedAt: third.postedAt, user: { id: editor.userId } },
      { count: 1, updatedAt: second.postedAt, user: { id: admin.userId } },
    ],
    replies: {
      totalCount: 3,
      pageInfo: { hasNextPage: true },
      nodes: [
        {
          id: first.id,
          body: { markdown: 'One', document: { object: 'document' } },
          postedBy: { displayName: 'Editor' },
          comment: { id: comment.id },
          permissions: { view: true, edit: false, reply: false, delete: false },
        },
        { id: second.id },
      ],
    },
  });
  const after = node.replies.pageInfo.endCursor;
  const rest = await reader.graphql(THREAD, { id: comment.id, first: 2, after });
  expect(rest.node.replies.nodes).toMatchObject([{ id: third.id }]);

  const listed = await reader.restAs(`listCommentReplies${suffix}`, 'GET', `${comment.at}/replies?limit=2`, undefined, {
    beyond: true,
  });
  expect(listed.body).toMatchObject({
    count: 3,
    items: [{ id: first.id, body: { markdown: 'One' } }, { id: second.id }],
  });
  const next = await reader.get(`${comment.at}/replies?limit=2&format=document&page=${listed.body.next.page}`);
  expect(next.body.items).toMatchObject([{ id: third.id, body: { document: { object: 'document' } } }]);
  const shown = await reader.get(comment.at);
  expect(shown.body).toMatchObject({ replies: 3, repliers: [{ count: 2, user: { id: editor.userId } }, { count: 1 }] });
});

test('a reply is read, edited by its author, and reacted to', async () => {
  const comment = await arranged.comment(commenter);
  const reply = await arranged.reply(commenter, comment);
  const { body } = await commenter.restAs('updateCommentReplyInSpace', 'PUT', reply.at, {
    body: { markdown: 'No' },
    addedReactions: ['👍'],
  });
  expect(body).toMatchObject({ body: { markdown: 'No' }, editedAt: expect.any(String), reactions: [{ emoji: '👍' }] });
  const read = await reader.restAs('getCommentReplyInSpace', 'GET', reply.at);
  expect(read.body.body).toEqual({ markdown: 'No' });
  const { commentReply } = await editor.mutate(
    'updateCommentReply',
    { commentReplyId: reply.id, addedReactions: ['👍'], removedReactions: ['🎉'] },
    'commentReply { id reactions { count } body { markdown } }',
  );
  expect(commentReply).toEqual({ id: reply.id, reactions: [{ count: 2 }], body: { markdown: 'No' } });
  await expect(
    editor.mutate('updateCommentReply', { commentReplyId: reply.id, body: { markdown: 'x' } }, 'clientMutationId'),
  ).rejects.toMatchObject({ code: 'FORBIDDEN' });
  for (const change of [{ addedReactions: ['👍'] }, {}]) expect((await reader.put(reply.at, change)).status).toBe(403);
  expect((await commenter.put(reply.at, { body: { markdown: ' ' } })).status).toBe(400);
  expect((await commenter.put(reply.at, {})).status).toBe(200);
});

test('refuses replies to replies, and empty or too long bodies', async () => {
  const comment = await arranged.comment(commenter);
  const reply = await arranged.reply(commenter, comment);
  const post = (commentId: string, markdown: string) =>
    commenter.mutate('postCommentReply', { commentId, body: { markdown } }, 'commentReply { id }');
  await expect(post(reply.id, 'x')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect((await commenter.post(`${path}/comments/${reply.id}/replies`, { body: { markdown: 'x' } })).status).toBe(404);
  await expect(post(comment.id, '')).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  await expect(post(comment.id, 'x'.repeat(50_001))).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  expect((await post(comment.id, 'x')).commentReply.id).toMatch(/^reply_/);
});

test('returns the posted comment in the requested format', async () => {
  const comment = await arranged.comment(commenter, 'Here', {}, below);
  const { body } = await commenter.restAs(
    'postCommentReplyInChangeRequest',
    'POST',
    `${comment.at}/replies?format=document`,
    { body: { markdown: 'Yes' } },
  );
  expect(body.body).toMatchObject({ document: { object: 'document' } });
  const at = `${below}/comments/${comment.id}/replies/${body.id}`;
  await commenter.restAs(
    'updateCommentReplyInChangeRequest',
    'PUT',
    at,
    { body: { markdown: 'No' } },
    { beyond: true },
  );
  await commenter.restAs('getCommentReplyInChangeRequest', 'GET', at, undefined, { beyond: true });
  await commenter.restAs('deleteCommentReplyInChangeRequest', 'DELETE', at, undefined, { beyond: true });
});

test.each([
  ['a reader', reader, 'FORBIDDEN', 403],
  ['an outsider', outsider, 'NOT_FOUND', 404],
  ['an anonymous caller', anonymous, 'UNAUTHENTICATED', 401],
])('refuses a reply of %s', async (_who, by, code, status) => {
  const comment = await arranged.comment(commenter);
  const input = { commentId: comment.id, body: { markdown: 'x' } };
  await expect(by.mutate('postCommentReply', input, 'clientMutationId')).rejects.toMatchObject({ code });
  expect((await by.post(`${comment.at}/replies`, { body: { markdown: 'x' } })).status).toBe(status);
});

test('a reply is found only below its own comment', async () => {
  const [one, other] = [await arranged.comment(commenter), await arranged.comment(commenter)];
  const reply = await arranged.reply(commenter, one);
  expect((await reader.get(`${other.at}/replies/${reply.id}`)).status).toBe(404);
  expect((await outsider.get(reply.at)).status).toBe(404);
  expect((await outsider.graphql('query($id: ID!) { node(id: $id) { id } }', { id: reply.id })).node).toBeNull();
});
