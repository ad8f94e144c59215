import { expect, test } from 'vitest';
import { world } from '../../world.ts';
import { arrangeIn } from './arrange.ts';

const site = await world();
const { admin, creator, reviewer, commenter, editor, reader, guest, outsider, anonymous, advance, grant } = site;
const arranged = await arrangeIn(site);
const { path, spaceId, changeRequest } = arranged;

const READ = `query($id: ID!) { node(id: $id) { ... on Comment { body { markdown } editedAt status resolvedAt resolvedBy { id }
  reactions { emoji count users { user { id } reactedAt } } } } }`;
const read = async (id: string) => (await reader.graphql(READ, { id })).node;
const update = (input: Record<string, unknown>, by = commenter) =>
  by.mutate('updateComment', input, 'comment { id status body { markdown } editedAt }');

/** Kinds of events about a comment, in order. */
async function told(commentId: string): Promise<string[]> {
  const about = (await site.eventsBy()).filter(({ ids }) => ids.commentId === commentId);
  return about.map(({ type }) => type);
}

test('the author edits the body, which is marked as edited', async () => {
  const comment = await arranged.comment(commenter);
  expect(comment.editedAt).toBeUndefined();
  const { body, status } = await commenter.restAs('updateCommentInSpace', 'PUT', comment.at, {
    body: { markdown: 'Better' },
  });
  expect([status, body.body, body.editedAt]).toEqual([200, { markdown: 'Better' }, expect.any(String)]);
  expect(await read(comment.id)).toMatchObject({ body: { markdown: 'Better' }, editedAt: body.editedAt });
  const { comment: again } = await update({ commentId: comment.id, body: { markdown: 'Best' } });
  expect(again).toMatchObject({ body: { markdown: 'Best' }, status: 'OPEN' });
  expect(await told(comment.id)).toEqual(['comment_posted', 'comment_updated', 'comment_updated']);
});

test('refuses everyone else, including administrators', async () => {
  const comment = await arranged.comment(commenter);
  for (const by of [editor, admin]) {
    await expect(update({ commentId: comment.id, body: { markdown: 'Mine' } }, by)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    expect((await by.put(comment.at, { body: { markdown: '' } })).status).toBe(403);
    expect((await by.put(comment.at, { body: { markdown: 'Mine' } })).status).toBe(403);
  }
  expect((await commenter.put(comment.at, { body: {} })).status).toBe(400);
});

test('everyone who can comment resolves and reopens; repeating it changes nothing', async () => {
  const comment = await arranged.comment(commenter);
  const { body } = await editor.restAs('updateCommentInSpace', 'PUT', comment.at, { resolved: true });
  expect(body).toMatchObject({ status: 'resolved', resolvedAt: expect.any(String), resolvedBy: { id: editor.userId } });
  await commenter.put(comment.at, { resolved: true });
  expect(await read(comment.id)).toMatchObject({
    status: 'RESOLVED',
    resolvedAt: body.resolvedAt,
    resolvedBy: { id: editor.userId },
  });
  const { comment: open } = await update({ commentId: comment.id, resolved: false });
  expect(open.status).toBe('OPEN');
  expect(await read(comment.id)).toMatchObject({ resolvedAt: null, resolvedBy: null });
  expect(await told(comment.id)).toEqual(['comment_posted', 'comment_resolved', 'comment_reopened']);
});

test('each user has one reaction per emoji, in either spelling', async () => {
  const comment = await arranged.comment(commenter);
  await commenter.put(comment.at, { addedReactions: ['👍'] });
  advance(1_000);
  await commenter.put(comment.at, { addedReactions: ['🎉'] });
  await commenter.put(comment.at, { addedReactions: ['1f44d', '👍'], removedReactions: ['❤️'] });
  await editor.put(comment.at, { addedReactions: ['1f44d'] });
  expect((await read(comment.id)).reactions).toMatchObject([
    { emoji: '👍', count: 2, users: [{ user: { id: commenter.userId } }, { user: { id: editor.userId } }] },
    { emoji: '🎉', count: 1, users: [{ user: { id: commenter.userId }, reactedAt: expect.any(String) }] },
  ]);
  const { body } = await commenter.put(comment.at, { removedReactions: ['1F44D', '🎉'] });
  expect(body.reactions).toMatchObject([{ emoji: '1f44d', count: 1, users: [{ user: { id: editor.userId } }] }]);
  expect(body.editedAt).toBeUndefined();
});

test.each(['', 'x', ':thumbsup:', '👍👍', '👍 ', '1', '#', '1f', 'zz', '\ud83d', 'x'.repeat(101)])(
  '%j is not a valid reaction',
  async (text) => {
    const comment = await arranged.comment(commenter);
    for (const member of ['addedReactions', 'removedReactions']) {
      const { status, body } = await commenter.put(comment.at, { [member]: [text] });
      expect([status, body.error.message]).toEqual([400, expect.stringContaining(member)]);
    }
  },
);

test.each(['❤', '❤️', '👩‍👩‍👧', '🇩🇪', '👍🏽', '2764', '1f468-200d-1f4bb'])('%s is a valid reaction', async (emoji) => {
  const comment = await arranged.comment(commenter);
  const { body } = await commenter.put(comment.at, { addedReactions: [emoji] });
  expect(body.reactions).toMatchObject([{ emoji, count: 1 }]);
});

test('a comment has at most 50 different emoji', async () => {
  const comment = await arranged.comment(commenter);
  const emoji = Array.from({ length: 51 }, (_, index) => String.fromCodePoint(0x1f600 + index));
  for (const part of [emoji.slice(0, 20), emoji.slice(20, 40), emoji.slice(40, 50)]) {
    expect((await commenter.put(comment.at, { addedReactions: part })).status).toBe(200);
  }
  expect((await commenter.put(comment.at, { addedReactions: emoji.slice(50) })).status).toBe(409);
  expect((await commenter.put(comment.at, { addedReactions: emoji.slice(0, 21) })).status).toBe(400);
  expect((await read(comment.id)).reactions).toHaveLength(50);
});

test.each([
  ['a reader', reader, 'FORBIDDEN', 403],
  ['a guest', guest, 'NOT_FOUND', 404],
  ['an outsider', outsider, 'NOT_FOUND', 404],
  ['an anonymous caller', anonymous, 'UNAUTHENTICATED', 401],
])('refuses %s', async (_who, by, code, status) => {
  const comment = await arranged.comment(commenter);
  for (const change of [{ resolved: true }, { addedReactions: ['👍'] }, { body: { markdown: 'x' } }, {}]) {
    await expect(update({ commentId: comment.id, ...change }, by)).rejects.toMatchObject({ code });
    expect((await by.put(comment.at, change)).status).toBe(status);
  }
});

test('an author who can only read still edits the body, and nothing else', async () => {
  const comment = await arranged.comment(commenter);
  await grant(spaceId, commenter.userId, 'read');
  expect((await commenter.put(comment.at, { body: { markdown: 'Still mine' } })).status).toBe(200);
  expect((await commenter.put(comment.at, { resolved: true })).status).toBe(403);
  expect((await commenter.put(comment.at, {})).status).toBe(200);
  expect((await commenter.get(comment.at)).body.permissions).toEqual({
    view: true,
    edit: true,
    reply: false,
    delete: true,
  });
  await grant(spaceId, commenter.userId, 'comment');
});

test('ignores an empty update, and an unknown comment is NOT_FOUND', async () => {
  const comment = await arranged.comment(commenter);
  expect((await commenter.put(comment.at, {})).body.editedAt).toBeUndefined();
  expect(await told(comment.id)).toEqual(['comment_posted']);
  expect((await commenter.put(`${path}/comments/comment_x`, {})).status).toBe(404);
});

test('works on a change request, and only at its own path', async () => {
  const below = `${path}/change-requests/${changeRequest.number}`;
  const comment = await arranged.comment(commenter, 'Here', {}, below);
  const { body } = await commenter.restAs('updateCommentInChangeRequest', 'PUT', `${below}/comments/${comment.id}`, {
    resolved: true,
    body: { markdown: 'There' },
    addedReactions: ['👀'],
  });
  expect(body).toMatchObject({ status: 'resolved', body: { markdown: 'There' }, reactions: [{ emoji: '👀' }] });
  expect((await commenter.put(`${path}/comments/${comment.id}`, { resolved: false })).status).toBe(404);
});

test('applies all of many concurrent updates', async () => {
  const comment = await arranged.comment(commenter);
  const people = [admin, creator, reviewer, editor, commenter];
  const sent = people.flatMap((by) => [
    by.put(comment.at, { addedReactions: ['👍', '🎉'] }),
    by.put(comment.at, { addedReactions: ['🎉', '👍'], resolved: true }),
    by.post(`${comment.at}/replies`, { body: { markdown: 'Me too' } }),
  ]);
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(sent.map(() => 200));
  const { body } = await reader.get(comment.at);
  expect(body).toMatchObject({ status: 'resolved', replies: people.length });
  expect(body.reactions.map(({ count }: { count: number }) => count)).toEqual([people.length, people.length]);
  expect((await told(comment.id)).filter((kind) => kind === 'comment_resolved')).toHaveLength(1);
});
