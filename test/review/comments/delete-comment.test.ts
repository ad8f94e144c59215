import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { arrangeIn } from './arrange.ts';

const site = await world();
const { app, admin, commenter, editor, reader, outsider, anonymous } = site;
const arranged = await arrangeIn(site);
const { path, changeRequest } = arranged;
const remove = (commentId: string, by = commenter) => by.mutate('deleteComment', { commentId }, 'deletedId');

async function rowsOf(ids: string[]): Promise<number> {
  const { db } = app.services;
  const counted = await Promise.all([
    db.selectFrom('comment').where('id', 'in', ids).select('id').execute(),
    db.selectFrom('comment_reply').where('id', 'in', ids).select('id').execute(),
    db.selectFrom('comment_reaction').where('subjectId', 'in', ids).select('code').execute(),
  ]);
  return counted.flat().length;
}

test('the author and administrators of the space delete a comment with its replies and reactions', async () => {
  for (const by of [commenter, admin]) {
    const comment = await arranged.comment(commenter);
    const reply = await arranged.reply(editor, comment);
    for (const at of [comment.at, reply.at]) await editor.put(at, { addedReactions: ['👍'] });
    expect(await rowsOf([comment.id, reply.id])).toBe(4);
    expect(await remove(comment.id, by)).toEqual({ deletedId: comment.id });
    expect(await rowsOf([comment.id, reply.id])).toBe(0);
    expect((await reader.get(comment.at)).status).toBe(404);
    expect((await reader.get(reply.at)).status).toBe(404);
    expect(await remove(comment.id, by)).toEqual({ deletedId: null });
  }
});

test('REST deletes, and repeating the deletion is no error', async () => {
  const below = `${path}/change-requests/${changeRequest.id}`;
  for (const base of [path, below]) {
    const comment = await arranged.comment(commenter, 'Gone', {}, base);
    const reply = await arranged.reply(commenter, comment);
    for (const at of [reply.at, comment.at]) {
      expect((await commenter.delete(at)).status).toBe(204);
      expect((await commenter.delete(comment.at === at ? at : reply.at)).status).toBe(204);
    }
  }
});

test('the payload has the parent of the comment or reply', async () => {
  const below = `${path}/change-requests/${changeRequest.id}`;
  const parents = 'deletedId space { id openCommentsCount } changeRequest { id openCommentsCount }';
  const [onSpace, onChangeRequest] = [
    await arranged.comment(commenter),
    await arranged.comment(commenter, 'Hello', {}, below),
  ];
  const reply = await arranged.reply(commenter, onSpace);
  const deleteReply = () =>
    commenter.mutate('deleteCommentReply', { commentReplyId: reply.id }, 'deletedId comment { id repliesCount }');
  expect(await deleteReply()).toEqual({ deletedId: reply.id, comment: { id: onSpace.id, repliesCount: 0 } });
  expect(await deleteReply()).toEqual({ deletedId: null, comment: null });

  const openOf = async () => {
    const query =
      'query($s: ID!, $c: ID!) { space(id: $s) { openCommentsCount } changeRequest(id: $c) { openCommentsCount } }';
    const found = await commenter.graphql(query, { s: arranged.spaceId, c: changeRequest.id });
    return [found.space.openCommentsCount, found.changeRequest.openCommentsCount];
  };
  const [before, beforeBelow] = await openOf();
  const remaining = { id: arranged.spaceId, openCommentsCount: before - 1 };
  expect(await commenter.mutate('deleteComment', { commentId: onSpace.id }, parents)).toEqual({
    deletedId: onSpace.id,
    space: remaining,
    changeRequest: null,
  });
  expect(await commenter.mutate('deleteComment', { commentId: onChangeRequest.id }, parents)).toEqual({
    deletedId: onChangeRequest.id,
    space: remaining,
    changeRequest: { id: changeRequest.id, openCommentsCount: beforeBelow - 1 },
  });
  expect(await commenter.mutate('deleteComment', { commentId: onSpace.id }, parents)).toEqual({
    deletedId: null,
    space: null,
    changeRequest: null,
  });
});

test('refuses everyone else', async () => {
  const comment = await arranged.comment(commenter);
  const reply = await arranged.reply(commenter, comment);
  for (const by of [editor, reader]) {
    await expect(remove(comment.id, by)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(by.mutate('deleteCommentReply', { commentReplyId: reply.id }, 'deletedId')).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    for (const at of [comment.at, reply.at]) expect((await by.delete(at)).status).toBe(403);
  }
  expect(await remove(comment.id, outsider)).toEqual({ deletedId: null });
  expect((await outsider.delete(comment.at)).status).toBe(404);
  expect((await anonymous.delete(comment.at)).status).toBe(401);
  expect((await reader.get(comment.at)).status).toBe(200);
});

test('deleting a missing comment succeeds if its parent is visible, and is NOT_FOUND otherwise', async () => {
  const comment = await arranged.comment(commenter);
  expect((await commenter.delete(`${path}/comments/comment_x`)).status).toBe(204);
  expect((await commenter.delete(`${comment.at}/replies/reply_x`)).status).toBe(204);
  expect((await commenter.delete(`${path}/comments/comment_x/replies/reply_x`)).status).toBe(404);
  expect((await commenter.delete(`${path}/change-requests/999/comments/comment_x`)).status).toBe(404);
  const inOther = `${path}/change-requests/${changeRequest.id}/comments/${comment.id}`;
  expect((await commenter.delete(inOther)).status).toBe(204);
  expect((await commenter.get(comment.at)).status).toBe(200);
});
