import { expect, test } from 'vitest';
import type { Client } from '../../client.ts';
import { settled } from '../../settled.ts';
import { follow as followOn, type Stream, type StreamRequest } from '../../stream.ts';
import { world } from '../../world.ts';

const site = await world();
const { app, admin, commenter, editor, reviewer, reader, guest, outsider, anonymous, organizationId } = site;

const QUERY = `subscription($organizationId: ID!, $after: ID) {
  notificationReceived(organizationId: $organizationId, after: $after) {
    cursor kind reason actor { displayName } changeRequest { id } review { id } comment { id } commentReply { id } } }`;

const soon = { interval: 20 };

/** A subscription that has begun. */
const follow = (client: Client, variables: object = {}, more: Partial<StreamRequest> = {}) =>
  followOn(app, client, { query: QUERY, variables: { organizationId, ...variables }, ...more });

// biome-ignore lint/suspicious/noExplicitAny: as it came.
const notificationsIn = ({ answers }: Stream): any[] => answers.map(({ data }) => data?.notificationReceived);

const reasonsIn = (stream: Stream) => notificationsIn(stream).map((notification) => notification?.reason);

const { space } = await admin.mutate('createSpace', { organizationId, title: 'Docs' }, 'space { id }');
const spaceId: string = space.id;

async function newChangeRequest(): Promise<string> {
  const made = await editor.mutate('createChangeRequest', { spaceId }, 'changeRequest { id }');
  return made.changeRequest.id;
}

async function post(by: Client, markdown: string, place: object = { spaceId }): Promise<string> {
  const { comment } = await by.mutate('postComment', { ...place, body: { markdown } }, 'comment { id }');
  return comment.id;
}

async function reply(by: Client, commentId: string, markdown = 'Yes'): Promise<string> {
  const made = await by.mutate('postCommentReply', { commentId, body: { markdown } }, 'commentReply { id }');
  return made.commentReply.id;
}

const mentionOf = ({ userId }: Client) => `[Somebody](/users/${userId} "mention")`;

test('a user is told of requested reviews, and the author of reviews, comments and the merge', async () => {
  const changeRequestId = await newChangeRequest();
  const [ofEditor, ofReviewer, ofReader] = [await follow(editor), await follow(reviewer), await follow(reader)];
  const asked = { changeRequestId, userIds: [reviewer.userId] };
  await editor.mutate('requestReviewers', { ...asked, subject: 'Look' }, 'changeRequest { id }');
  const verdict = { changeRequestId, status: 'APPROVED', comment: { markdown: 'Fine' } };
  const { review } = await reviewer.mutate('submitReview', verdict, 'review { id }');
  const again = { ...verdict, status: 'CHANGES_REQUESTED', comment: { markdown: 'Not fine' } };
  await reviewer.mutate('submitReview', again, 'review { id }');
  const onReview = await post(reviewer, 'One more thing', { changeRequestId, reviewId: review.id });
  const commentId = await post(commenter, 'A question', { changeRequestId });
  await post(editor, 'My own', { changeRequestId });
  const changes = [{ insertPage: { title: 'New' } }];
  await editor.mutate('updateChangeRequestContent', { changeRequestId, changes }, 'pageIds');
  await admin.mutate('mergeChangeRequest', { changeRequestId }, 'changeRequest { id }');
  const end = await post(admin, mentionOf(reader));
  await expect
    .poll(() => reasonsIn(ofEditor), soon)
    .toEqual(['REVIEWED', 'REVIEWED', 'COMMENTED', 'COMMENTED', 'MERGED']);
  const changeRequest = { id: changeRequestId };
  expect(notificationsIn(ofEditor)).toMatchObject([
    { kind: 'CHANGE_REQUEST_REVIEWED', actor: { displayName: 'Reviewer' }, changeRequest, review, comment: null },
    { kind: 'CHANGE_REQUEST_REVIEWED', actor: { displayName: 'Reviewer' }, changeRequest, comment: null },
    { kind: 'COMMENT_POSTED', actor: { displayName: 'Reviewer' }, changeRequest, comment: { id: onReview } },
    { kind: 'COMMENT_POSTED', actor: { displayName: 'Commenter' }, changeRequest, comment: { id: commentId } },
    { kind: 'CHANGE_REQUEST_MERGED', actor: { displayName: 'Admin' }, changeRequest },
  ]);
  await expect
    .poll(() => notificationsIn(ofReader), soon)
    .toMatchObject([{ reason: 'MENTIONED', comment: { id: end } }]);
  expect(notificationsIn(ofReviewer)).toMatchObject([
    { kind: 'CHANGE_REQUEST_REVIEW_REQUESTED', reason: 'REVIEW_REQUESTED', changeRequest, comment: null },
  ]);
  const ids = ofEditor.frames.filter(({ event }) => event === 'next').map(({ id }) => id);
  expect(notificationsIn(ofEditor).map(({ cursor }) => cursor)).toEqual(ids);
  for (const each of [ofEditor, ofReviewer, ofReader]) each.close();
});

test('a user is told of replies in threads that they take part in, and of mentions', async () => {
  const [ofCommenter, ofReviewer, ofReader] = [await follow(commenter), await follow(reviewer), await follow(reader)];
  const commentId = await post(commenter, 'A question');
  const first = await reply(reviewer, commentId);
  const second = await reply(editor, commentId);
  const mentioning = await reply(editor, commentId, `${mentionOf(commenter)} and the text ${reader.userId}`);
  await reply(commenter, commentId, 'Thank you');
  await expect.poll(() => reasonsIn(ofCommenter), soon).toEqual(['REPLIED', 'REPLIED', 'MENTIONED']);
  await expect.poll(() => reasonsIn(ofReviewer), soon).toEqual(['REPLIED', 'REPLIED', 'REPLIED']);
  const comment = { id: commentId };
  expect(notificationsIn(ofCommenter)).toMatchObject([
    { comment, commentReply: { id: first }, changeRequest: null },
    { comment, commentReply: { id: second } },
    { comment, commentReply: { id: mentioning } },
  ]);
  expect(ofReader.answers).toEqual([]);
  for (const each of [ofCommenter, ofReviewer, ofReader]) each.close();
});

test('what was deleted or cannot be seen is left out', async () => {
  const hidden = await admin.mutate('createSpace', { organizationId, title: 'Hidden' }, 'space { id }');
  await site.grant(hidden.space.id, reader.userId, 'none');
  const after = (await site.eventsBy()).at(-1)?.id;
  await post(editor, mentionOf(reader), { spaceId: hidden.space.id });
  const seen = await post(editor, mentionOf(reader));
  const deleted = await post(editor, mentionOf(reader));
  await editor.mutate('deleteComment', { commentId: deleted }, 'deletedId');
  const end = await post(editor, mentionOf(reader));
  const again = await follow(reader, { after });
  await expect
    .poll(() => notificationsIn(again), soon)
    .toMatchObject([{ comment: { id: seen } }, { comment: { id: end } }]);
  again.close();
});

test('a client that reconnects misses nothing and gets nothing twice', async () => {
  const stream = await follow(reader);
  await post(editor, mentionOf(reader));
  await expect.poll(() => reasonsIn(stream), soon).toHaveLength(1);
  stream.close();
  const [{ cursor: after }] = notificationsIn(stream);
  const expected = [await post(editor, mentionOf(reader)), await post(editor, mentionOf(reader))];
  await settled(app.services.db);
  const byArgument = await follow(reader, { after });
  const byHeader = await follow(reader, {}, { headers: { 'last-event-id': after } });
  expected.push(await post(editor, mentionOf(reader)));
  for (const each of [byArgument, byHeader]) {
    await expect.poll(() => notificationsIn(each).map(({ comment }) => comment.id), soon).toEqual(expected);
    each.close();
  }
});

test('an organization that the caller does not belong to is answered like an absent one', async () => {
  const refusal = async (client: Client, id: string) => {
    const stream = await follow(client, { organizationId: id });
    await expect.poll(() => stream.isOver, soon).toBe(true);
    return JSON.stringify(stream.answers)
      .replaceAll(id, '<id>')
      .replaceAll(/"requestId":"[^"]*"/g, '');
  };
  const absent = 'org_00000000000000000000000000';
  expect(await refusal(outsider, organizationId)).toContain('NOT_FOUND');
  expect(await refusal(outsider, organizationId)).toBe(await refusal(outsider, absent));
  expect(await refusal(anonymous, organizationId)).toContain('UNAUTHENTICATED');
  expect(await refusal(anonymous, organizationId)).toBe(await refusal(anonymous, absent));
  const foreign = await follow(reader, { after: 'event_x' });
  expect(foreign.answers).toMatchObject([{ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] }]);
});

test('the stream of a member who is removed ends', async () => {
  const stream = await follow(guest);
  expect(stream.answers).toEqual([]);
  await admin.mutate('removeMember', { organizationId, userId: guest.userId }, 'deletedId');
  await expect.poll(() => stream.isOver, soon).toBe(true);
  expect(stream.answers).toMatchObject([{ errors: [{ extensions: { code: 'NOT_FOUND' } }] }]);
});
