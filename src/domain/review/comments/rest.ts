import { z } from 'zod';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { present, shapeOf } from '../../../platform/resource/rest.ts';
import { type ListedMember, member as memberResource } from '../../people/members/index.ts';
import type { CommentRow, ReplyRow } from './columns.ts';
import { deleteComment } from './delete-comment.ts';
import { deleteCommentReply } from './delete-comment-reply.ts';
import { formatOf, formatQuery } from './format.ts';
import { getComment } from './get-comment.ts';
import { getCommentReply } from './get-comment-reply.ts';
import { listCommentReplies } from './list-comment-replies.ts';
import { listCommenters } from './list-commenters.ts';
import { listComments } from './list-comments.ts';
import { postComment } from './post-comment.ts';
import { postCommentReply } from './post-comment-reply.ts';
import { comment, reply } from './resources.ts';
import { updateComment } from './update-comment.ts';
import { updateCommentReply } from './update-comment-reply.ts';

const listQuery = formatQuery.extend({
  order: z.enum(['asc', 'desc']).default('desc').describe('Order by time of posting. Default: newest first.'),
});

const oneComment = {
  response: resourceResponse(comment, (row: CommentRow, _ctx, { query }) => ({ ...row, format: formatOf(query) })),
  query: formatQuery,
};

const oneReply = {
  response: resourceResponse(reply, (row: ReplyRow, _ctx, { query }) => ({ ...row, format: formatOf(query) })),
  query: formatQuery,
};

/** Spaces and change requests have the same routes. */
const routesBelow = (base: string, of: 'Space' | 'ChangeRequest'): Route[] => {
  const comments = `${base}/comments`;
  const one = `${comments}/:commentId`;
  const replies = `${one}/replies`;
  const replyPath = `${replies}/:commentReplyId`;
  return [
    listRoute(comments, listComments, {
      operationId: `listCommentsIn${of}`,
      ...oneComment,
      query: listQuery,
      rename: { order: 'orderBy' },
      toInput: ({ orderBy, ...query }) =>
        ({ ...query, ...(orderBy !== undefined && { orderBy: { field: 'postedAt', direction: orderBy } }) }) as z.input<
          typeof listComments.input
        >, // validated by the operation
    }),
    route('POST', comments, postComment, {
      operationId: `postCommentIn${of}`,
      ...oneComment,
      rename: { page: 'pageId', review: 'reviewId' },
    }),
    route('GET', one, getComment, { operationId: `getCommentIn${of}`, ...oneComment }),
    route('PUT', one, updateComment, { operationId: `updateCommentIn${of}`, ...oneComment }),
    route('DELETE', one, deleteComment, { operationId: `deleteCommentIn${of}` }),
    listRoute(replies, listCommentReplies, { operationId: `listCommentRepliesIn${of}`, ...oneReply }),
    route('POST', replies, postCommentReply, { operationId: `postCommentReplyIn${of}`, ...oneReply }),
    route('GET', replyPath, getCommentReply, { operationId: `getCommentReplyIn${of}`, ...oneReply }),
    route('PUT', replyPath, updateCommentReply, { operationId: `updateCommentReplyIn${of}`, ...oneReply }),
    route('DELETE', replyPath, deleteCommentReply, { operationId: `deleteCommentReplyIn${of}` }),
    listRoute(`${base}/commenters`, listCommenters, {
      operationId: `listCommentersIn${of}`,
      shape: shapeOf(memberResource),
      present: (row: ListedMember, ctx) => present(memberResource, row, ctx),
    }),
  ];
};

export const commentRoutes: Route[] = [
  ...routesBelow('/v1/spaces/:spaceId', 'Space'),
  ...routesBelow('/v1/spaces/:spaceId/change-requests/:changeRequestId', 'ChangeRequest'),
];
