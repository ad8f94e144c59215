import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { asc } from '../../../platform/paging/order.ts';
import { permissions } from '../../people/access/index.ts';
import { commentFor, discussionName } from './access.ts';
import { type ReplyRow, replyColumns } from './columns.ts';

const needed = permissions.listCommentReplies.space;

/** The replies to a comment. Does not check access. */
export const repliesOfComment = listing<object, ReplyRow>({
  name: 'comment.replies',
  from: 'comment_reply as c',
  select: replyColumns,
  parent: 'commentId',
  order: [asc('postedAt', 'timestamptz'), asc('id')],
  isShared: true,
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
