import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { listRoute, type RestInput, type Route, route } from '../../../platform/http/route.ts';
import { memberShape, presentMember } from '../../people/members/index.ts';
import type { CommentRow, ReplyRow } from './columns.ts';
import { deleteComment } from './delete-comment.ts';
import { deleteCommentReply } from './delete-comment-reply.ts';
import { getComment } from './get-comment.ts';
import { getCommentReply } from './get-comment-reply.ts';
import { listCommentReplies } from './list-comment-replies.ts';
import { listCommenters } from './list-commenters.ts';
import { listComments } from './list-comments.ts';
import { postComment } from './post-comment.ts';
import { postCommentReply } from './post-comment-reply.ts';
import { commentShape, formatOf, formatQuery, presentComment, presentReply, replyShape } from './present.ts';
import { updateComment } from './update-comment.ts';
import { updateCommentReply } from './update-comment-reply.ts';

const query = z.object(formatQuery);

const listQuery = query.extend({
  order: z.enum(['asc', 'desc']).default('desc').describe('By the time of posting: the oldest or the newest first.'),
});

const comment = {
  shape: commentShape,
  query,
  present: (row: CommentRow, ctx: Context, { query: given }: RestInput) => presentComment(row, ctx, formatOf(given)),
};

const reply = {
  shape: replyShape,
  query,
  present: (row: ReplyRow, ctx: Context, { query: given }: RestInput) => presentReply(row, ctx, formatOf(given)),
};

/** The same addresses below a space and below a change request. */
const routesBelow = (base: string, of: 'Space' | 'ChangeRequest'): Route[] => {
  const comments = `${base}/comments`;
  const one = `${comments}/:commentId`;
  const replies = `${one}/replies`;
  const oneReply = `${replies}/:commentReplyId`;
  return [
    listRoute(comments, listComments, {
      operationId: `listCommentsIn${of}`,
      ...comment,
      query: listQuery,
      rename: { order: 'orderBy' },
      toInput: ({ orderBy, ...given }) =>
        ({ ...given, ...(orderBy !== undefined && { orderBy: { field: 'postedAt', direction: orderBy } }) }) as z.input<
          typeof listComments.input
        >, // untrusted; the operation checks it
    }),
    route('POST', comments, postComment, {
      operationId: `postCommentIn${of}`,
      ...comment,
      rename: { page: 'pageId', review: 'reviewId' },
    }),
    route('GET', one, getComment, { operationId: `getCommentIn${of}`, ...comment }),
    route('PUT', one, updateComment, { operationId: `updateCommentIn${of}`, ...comment }),
    route('DELETE', one, deleteComment, { operationId: `deleteCommentIn${of}` }),
    listRoute(replies, listCommentReplies, { operationId: `listCommentRepliesIn${of}`, ...reply }),
    route('POST', replies, postCommentReply, { operationId: `postCommentReplyIn${of}`, ...reply }),
    route('GET', oneReply, getCommentReply, { operationId: `getCommentReplyIn${of}`, ...reply }),
    route('PUT', oneReply, updateCommentReply, { operationId: `updateCommentReplyIn${of}`, ...reply }),
    route('DELETE', oneReply, deleteCommentReply, { operationId: `deleteCommentReplyIn${of}` }),
    listRoute(`${base}/commenters`, listCommenters, {
      operationId: `listCommentersIn${of}`,
      shape: memberShape,
      present: presentMember,
    }),
  ];
};

export const commentRoutes: Route[] = [
  ...routesBelow('/v1/spaces/:spaceId', 'Space'),
  ...routesBelow('/v1/spaces/:spaceId/change-requests/:changeRequestId', 'ChangeRequest'),
];
