import { sql } from 'kysely';
import { z } from 'zod';
import { requireUserId } from '../../../platform/access/actor.ts';
import { nowOf } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { command, idOf } from '../../../platform/operation.ts';
import { writeStatement } from '../../../platform/write-statement.ts';
import { type AccessSeen, accessHeld, permissions } from '../../people/access/index.ts';
import { userOfColumn } from '../../people/users/index.ts';
import { commentFor, discussionName, discussionOfIds } from './access.ts';
import { type ReplyRow, replyColumns, withAuthor } from './columns.ts';
import { accepted, commentBody, readCommentBody } from './comment-body.ts';
import { placeOf, replyIds } from './event-ids.ts';
import { placeOfComment } from './text-place.ts';

const needed = permissions.postCommentReply.space;

type NewReply = AccessSeen &
  Pick<ReplyRow, 'id' | 'commentId' | 'markdown' | 'postedBy' | 'postedAt'> & { body: string };

/** Locks the comment, so that it is not deleted without the reply. */
const insert = writeStatement<NewReply, ReplyRow>((its) => ({
  change: sql`
    insert into comment_reply as c (id, organization_id, space_id, change_request_id, comment_id, body, markdown, posted_by,
      posted_at)
    select ${its.id}, p.organization_id, p.space_id, p.change_request_id, p.id, ${its.body}::json, ${its.markdown},
      ${its.postedBy}, ${its.postedAt}::timestamptz
    from ${accessHeld(its)} held, comment p
    where p.id = ${its.commentId} and p.organization_id = ${its.organizationId}
    for no key update of p
    returning ${replyColumns}`,
  shown: userOfColumn('postedBy'),
}));

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
  writesOnce: true,
  async run(ctx, { body: _, ...name }, read): Promise<ReplyRow> {
    const comment = await commentFor(ctx, name, needed, 'change');
    const { json, markdown } = accepted(read);
    const { organizationId, accessVersion, id: commentId, spaceId, changeRequestId } = comment;
    const id = newId('reply');
    const postedBy = requireUserId(ctx.actor);
    const row = { organizationId, accessVersion, id, commentId, body: json, markdown, postedBy, postedAt: nowOf(ctx) };
    const ids = replyIds({ id, commentId, changeRequestId });
    const event = { kind: 'comment_reply_posted' as const, ...placeOf({ organizationId, spaceId }), ids };
    const reply = await insert(ctx, row, [event]);
    if (!reply) throw notFound('comment', commentId);
    return withAuthor(reply);
  },
});
