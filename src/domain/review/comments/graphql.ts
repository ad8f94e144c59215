import type { Context } from '../../../platform/context/context.ts';
import { afterEvent, RESUMES } from '../../../platform/graphql/after-event.ts';
import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { ChangeRequestType } from '../../content/change-requests/graphql.ts';
import { loadChangeRequest } from '../../content/change-requests/index.ts';
import { PageNodeType } from '../../content/pages/graphql.ts';
import { currentPage, type PageView } from '../../content/pages/index.ts';
import { MemberType } from '../../people/members/graphql.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { loadSpace, openCommentsOfSpace } from '../../places/spaces/index.ts';
import type { CommentRow, ReplyRow } from './columns.ts';
import { commentTarget } from './comment-target.ts';
import { deleteComment } from './delete-comment.ts';
import { deleteCommentReply } from './delete-comment-reply.ts';
import { getComment } from './get-comment.ts';
import { getCommentReply } from './get-comment-reply.ts';
import { listCommentReplies, repliesOfComment } from './list-comment-replies.ts';
import { commentersOfChangeRequest, commentersOfSpace, listCommenters } from './list-commenters.ts';
import { commentListOptions, commentsOfChangeRequest, commentsOfSpace, listComments } from './list-comments.ts';
import { loadComment, loadReply } from './load.ts';
import { postComment } from './post-comment.ts';
import { postCommentReply } from './post-comment-reply.ts';
import { comment, reply } from './resources.ts';
import { subscribeToComments } from './subscribe-to-comments.ts';
import { updateComment } from './update-comment.ts';
import { updateCommentReply } from './update-comment-reply.ts';

export const CommentType = typeOf(comment);
export const ReplyType = typeOf(reply);

builder.objectFields(typeOf(commentTarget), (t) => ({
  space: t.field({
    type: SpaceType,
    nullable: true,
    description: 'Space that the comment belongs to. Null if you can no longer read it.',
    resolve: ({ spaceId }, _args, ctx) => loadSpace(ctx, spaceId),
  }),
  page: t.field({
    type: PageNodeType,
    nullable: true,
    description:
      'Page that the comment refers to, in the current content. Null if the comment does not refer to a page, or the page was deleted.',
    resolve: (row, _args, ctx) => targetPage(ctx, row),
  }),
}));

builder.objectFields(CommentType, (t) => ({
  replies: connection(t, {
    type: ReplyType,
    operation: listCommentReplies,
    without: ['commentId', 'spaceId', 'changeRequestId'],
    from: ({ id }) => ({ commentId: id }),
    list: ({ id }, _input, ctx) => repliesOfComment(ctx, id, {}),
  }),
}));

readInGraph(getComment);
registerNode(CommentType, 'comment', loadComment);

readInGraph(getCommentReply);
registerNode(ReplyType, 'reply', loadReply);

builder.objectFields(SpaceType, (t) => ({
  comments: connection(t, {
    type: CommentType,
    operation: listComments,
    description:
      'Lists the comments on the primary content of a space, newest first. Empty if you have no role on the space.',
    without: ['spaceId', 'changeRequestId'],
    from: ({ id }) => ({ spaceId: id }),
    list: ({ id }, input, ctx) => commentsOfSpace(ctx, id, commentListOptions(input)),
  }),
  openCommentsCount: t.int({
    description: 'Number of open comments on the primary content of the space. 0 if you cannot see them.',
    resolve: ({ id }, _args, ctx) => openCommentsOfSpace(ctx, id),
  }),
  commenters: connection(t, {
    type: MemberType,
    operation: listCommenters,
    description:
      'Lists the members who posted comments or replies on the primary content of a space, most recently joined first. Guests see who they are, but neither addresses and sign-ins nor teams and spaces.',
    without: ['spaceId', 'changeRequestId'],
    from: ({ id }) => ({ spaceId: id }),
    list: ({ id }, _input, ctx) => commentersOfSpace(ctx, id, {}),
  }),
}));

builder.objectFields(ChangeRequestType, (t) => ({
  comments: connection(t, {
    type: CommentType,
    operation: listComments,
    description: 'Lists the comments on a change request and its content, newest first.',
    without: ['spaceId', 'changeRequestId'],
    from: ({ id }) => ({ changeRequestId: id }),
    list: ({ id }, input, ctx) => commentsOfChangeRequest(ctx, id, commentListOptions(input)),
  }),
  commenters: connection(t, {
    type: MemberType,
    operation: listCommenters,
    description:
      'Lists the members who posted comments or replies on a change request, most recently joined first. Guests see who they are, but neither addresses and sign-ins nor teams and spaces.',
    without: ['spaceId', 'changeRequestId'],
    from: ({ id }) => ({ changeRequestId: id }),
    list: ({ id }, _input, ctx) => commentersOfChangeRequest(ctx, id, {}),
  }),
}));

const commentField = (description: string) => ({
  comment: { type: CommentType, description, resolve: (row: CommentRow) => row },
});

const replyFields = (description: string) => ({
  commentReply: { type: ReplyType, description, resolve: (row: ReplyRow) => row },
});

const deletedIdOf = (what: string) => ({
  type: 'ID',
  nullable: true,
  description: `ID of the deleted ${what}. Null if the ${what} did not exist or you cannot see it.`,
});

mutation(postComment, commentField('The new comment.'));
mutation(updateComment, commentField('The updated comment.'));
mutation(deleteComment, {
  deletedId: { ...deletedIdOf('comment'), resolve: ({ deletedId }) => deletedId },
  space: {
    type: SpaceType,
    nullable: true,
    description: 'Space of the deleted comment. Null if nothing was deleted.',
    resolve: ({ spaceId }, ctx) => (spaceId === null ? null : loadSpace(ctx, spaceId)),
  },
  changeRequest: {
    type: ChangeRequestType,
    nullable: true,
    description: 'Change request of the deleted comment. Null if it was a comment on the primary content of the space.',
    resolve: ({ changeRequestId }, ctx) => (changeRequestId === null ? null : loadChangeRequest(ctx, changeRequestId)),
  },
});
mutation(postCommentReply, replyFields('The new reply.'));
mutation(updateCommentReply, replyFields('The updated reply.'));
mutation(deleteCommentReply, {
  deletedId: { ...deletedIdOf('reply'), resolve: ({ deletedId }) => deletedId },
  comment: {
    type: CommentType,
    nullable: true,
    description: 'Comment that the deleted reply belonged to. Null if nothing was deleted.',
    resolve: ({ commentId }, ctx) => (commentId === null ? null : loadComment(ctx, commentId)),
  },
});

builder.subscriptionField('commentPosted', (t) =>
  t.field({
    type: CommentType,
    nullable: true,
    description: `Delivers each new comment on the primary content of a space or on a change request. Null if the comment has already been deleted. The stream ends with NOT_FOUND when you lose access. ${RESUMES}`,
    args: {
      spaceId: t.arg.id({ description: 'ID of the `Space` (`space_…`), for comments on its primary content.' }),
      changeRequestId: t.arg.id({ description: 'ID of the `ChangeRequest` (`cr_…`), for comments on it.' }),
      after: afterEvent(t),
    },
    subscribe: (_root, args, ctx) => subscribeToComments(ctx, args),
    resolve: ({ ids }, _args, ctx) => (ids.commentId === undefined ? null : loadComment(ctx, ids.commentId)),
  }),
);

/** The page that a comment refers to, in the current content. Batched. Null if the page was deleted. */
const targetPage = async (ctx: Context, { pageId, spaceId, changeRequestId }: CommentRow): Promise<PageView | null> =>
  pageId === null ? null : currentPage(ctx, changeRequestId ?? spaceId, pageId);
