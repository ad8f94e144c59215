import { sql } from 'kysely';
import { z } from 'zod';
import { idOf, query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { permissions } from '../../people/access/index.ts';
import { commentFor, discussionName } from './access.ts';
import { type ReplyRow, replyColumns } from './columns.ts';

const needed = permissions.listCommentReplies.space;

/** The replies to a comment. Does not check access. */
export const repliesOfComment = listing<object, ReplyRow>({
  name: 'comment.replies',
  select: replyColumns,
  from: (commentId) => sql`from comment_reply c where c.comment_id = ${commentId}`,
  order: () => [
    { by: sql`c.posted_at`, key: 'postedAt', direction: 'asc', type: 'timestamptz' },
    { by: sql`c.id`, key: 'id', direction: 'asc', type: 'text' },
  ],
});

export const listCommentReplies = query({
  name: 'listCommentReplies',
  description: 'Lists the replies to a comment, oldest first.',
  input: z.object({ ...discussionName, commentId: idOf('comment') }),
  authorize: (ctx, { commentId = '' }) => commentFor(ctx, { commentId }, needed),
  async run(ctx, name) {
    const { id } = await commentFor(ctx, name, needed);
    return repliesOfComment(ctx, id, {});
  },
});
