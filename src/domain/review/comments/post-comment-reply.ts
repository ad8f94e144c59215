import { z } from 'zod';
import { requireUserId } from '../../../platform/access/actor.ts';
import { nowOf } from '../../../platform/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids.ts';
import { command, idOf } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { commentFor, discussionName, discussionOfIds } from './access.ts';
import { REPLY_COLUMNS, type ReplyRow } from './columns.ts';
import { accepted, commentBody, readCommentBody } from './comment-body.ts';
import { placeOf, replyIds } from './event-ids.ts';
import { placeOfComment } from './text-place.ts';

const needed = permissions.postCommentReply.space;

export const postCommentReply = command({
  name: 'postCommentReply',
  description: 'Posts a reply to a comment. Replies cannot have replies.',
  input: z.object({
    ...discussionName,
    commentId: idOf('comment'),
    body: commentBody,
  }),
  authorize: (ctx, { commentId = '', ...ids }) => commentFor(ctx, { commentId, ...discussionOfIds(ids) }, needed),
  prepare: (ctx, { body, ...name }) => readCommentBody(ctx, body, placeOfComment(ctx, name, needed)),
  async run(ctx, { body: _, ...name }, read): Promise<ReplyRow> {
    const comment = await commentFor(ctx, name, needed, 'change');
    const { json, markdown } = accepted(read);
    const reply = await ctx.db
      .insertInto('comment_reply')
      .values({
        id: newId('reply'),
        organizationId: comment.organizationId,
        spaceId: comment.spaceId,
        changeRequestId: comment.changeRequestId,
        commentId: comment.id,
        body: json,
        markdown,
        postedBy: requireUserId(ctx.actor),
        postedAt: nowOf(ctx),
      })
      .returning(REPLY_COLUMNS)
      .executeTakeFirstOrThrow();
    await recordEvent(ctx, { kind: 'comment_reply_posted', ...placeOf(reply), ids: replyIds(reply) });
    return reply;
  },
});
