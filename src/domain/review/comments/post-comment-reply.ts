import { sql } from 'kysely';
import { z } from 'zod';
import { requireUserId } from '../../../platform/access/actor.ts';
import { nowOf } from '../../../platform/context/context.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { writeStatement } from '../../../platform/events/write-statement.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { userOfColumn } from '../../people/users/index.ts';
import { commentFor, discussionName, discussionOfIds } from './access.ts';
import { type ReplyRow, replyColumns, withAuthor } from './columns.ts';
import { bodyOrThrow, commentBody, readCommentBody } from './comment-body.ts';
import { eventScope, replyIds } from './event-ids.ts';
import { linkBaseOfComment } from './link-base.ts';

const needed = permissions.postCommentReply.space;

type NewReply = Pick<ReplyRow, 'id' | 'commentId' | 'markdown' | 'postedBy' | 'postedAt'> & { body: string };

/** The comment must be locked, so that it is not deleted without the reply. */
const insert = writeStatement<NewReply, ReplyRow>((params) => ({
  change: sql`
    insert into comment_reply as c (id, organization_id, space_id, change_request_id, comment_id, body, markdown, posted_by,
      posted_at)
    select ${params.id}, p.organization_id, p.space_id, p.change_request_id, p.id, ${params.body}::json, ${params.markdown},
      ${params.postedBy}, ${params.postedAt}::timestamptz
    from comment p where p.id = ${params.commentId}
    returning ${replyColumns}`,
  returned: userOfColumn('postedBy'),
}));

export const postCommentReply = command({
  name: 'postCommentReply',
  scope: 'comment',
  description: 'Posts a reply to a comment. Replies cannot have replies.',
  input: z.object({
    ...discussionName,
    commentId: idOf('comment'),
    body: commentBody,
  }),
  authorize: (ctx, { commentId = '', ...ids }) => commentFor(ctx, { commentId, ...discussionOfIds(ids) }, needed),
  prepare: (ctx, { body, ...name }) => readCommentBody(ctx, body, linkBaseOfComment(ctx, name, needed)),
  async run(ctx, { body: _, ...name }, read): Promise<ReplyRow> {
    const comment = await commentFor(ctx, name, needed, 'change');
    const { body, markdown } = bodyOrThrow(read);
    const { organizationId, id: commentId, spaceId, changeRequestId } = comment;
    const id = newId('reply');
    const postedBy = requireUserId(ctx.actor);
    const row = { id, commentId, body: JSON.stringify(body), markdown, postedBy, postedAt: nowOf(ctx) };
    const ids = replyIds({ id, commentId, changeRequestId });
    const event = { kind: 'comment_reply_posted' as const, ...eventScope({ organizationId, spaceId }), ids };
    const reply = await insert(ctx, row, [event]);
    if (!reply) throw notFound('comment', commentId);
    return withAuthor(reply);
  },
});
