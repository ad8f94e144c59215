import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { readInGraph } from '../../../platform/graphql/coverage.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { ChangeRequestType } from '../../content/change-requests/graphql.ts';
import { loadChangeRequest, openCommentsOfChangeRequest } from '../../content/change-requests/index.ts';
import { PageNode } from '../../content/pages/graphql.ts';
import { MemberType } from '../../people/members/graphql.ts';
import { UserType } from '../../people/users/graphql.ts';
import { loadUser } from '../../people/users/index.ts';
import { SpaceType } from '../../places/spaces/graphql.ts';
import { loadSpace, openCommentsOfSpace } from '../../places/spaces/index.ts';
import type { CommentRow, ReplyRow } from './columns.ts';
import { deleteComment } from './delete-comment.ts';
import { deleteCommentReply } from './delete-comment-reply.ts';
import { commentStatus } from './enums.ts';
import { getComment } from './get-comment.ts';
import { getCommentReply } from './get-comment-reply.ts';
import { ReplierType, TableCellType, writtenFields } from './graphql-types.ts';
import { listCommentReplies, repliesOfComment } from './list-comment-replies.ts';
import { commentersOfChangeRequest, commentersOfSpace, listCommenters } from './list-commenters.ts';
import { choiceOf, commentsOfChangeRequest, commentsOfSpace, listComments } from './list-comments.ts';
import { loadComment, loadReply } from './load.ts';
import { postComment } from './post-comment.ts';
import { postCommentReply } from './post-comment-reply.ts';
import { replyCounts } from './repliers.ts';
import { subscribeToComments } from './subscribe-to-comments.ts';
import { targetPage } from './target-page.ts';
import { updateComment } from './update-comment.ts';
import { updateCommentReply } from './update-comment-reply.ts';

/** Declared first, since the two name each other. */
export const CommentType = builder.objectRef<CommentRow>('Comment');

const ReplyType = builder.objectRef<ReplyRow>('CommentReply').implement({
  description: 'An answer to a comment. It has no answers of its own.',
  fields: (t) => ({
    ...writtenFields(t),
    comment: t.field({
      type: CommentType,
      nullable: true,
      description: 'The comment that it answers.',
      resolve: ({ commentId }, _args, ctx) => loadComment(ctx, commentId),
    }),
  }),
});

export const CommentTargetType = builder.objectRef<CommentRow>('CommentTarget').implement({
  description: 'What a comment is about.',
  fields: (t) => ({
    space: t.field({
      type: SpaceType,
      nullable: true,
      description: 'The space; null once you may not read it any more.',
      resolve: ({ spaceId }, _args, ctx) => loadSpace(ctx, spaceId),
    }),
    changeRequest: t.field({
      type: ChangeRequestType,
      nullable: true,
      description: 'The change request; null on the primary content.',
      resolve: ({ changeRequestId: id }, _args, ctx) => (id === null ? null : loadChangeRequest(ctx, id)),
    }),
    revisionId: t.exposeID('revisionId', { description: 'What the content was at when it was posted (`rev_…`).' }),
    pageId: t.exposeID('pageId', {
      nullable: true,
      description: 'The stable id of the page, if it is about one; also of one that is gone.',
    }),
    page: t.field({
      type: PageNode,
      nullable: true,
      description: 'The page as it is now; null when it is about none, and when the page is gone.',
      resolve: (comment, _args, ctx) => targetPage(ctx, comment),
    }),
    node: t.exposeString('nodeId', {
      nullable: true,
      description: "The key of the node in the page's document, if it is about one; also of one that is gone.",
    }),
    tableCell: t.field({
      type: TableCellType,
      nullable: true,
      description: 'The cell of the table that the node is, if it is about one.',
      resolve: ({ tableRecord: record, tableDefinition: definition }) =>
        record === null || definition === null ? null : { record, definition },
    }),
  }),
});

CommentType.implement({
  description: 'A remark on a space or a change request, or on something in their content. People answer below it.',
  fields: (t) => ({
    ...writtenFields(t),
    target: t.field({ type: CommentTargetType, description: 'What it is about.', resolve: (comment) => comment }),
    status: t.field({
      type: enumType(commentStatus),
      description: 'Whether it is settled.',
      resolve: ({ resolvedAt }) => (resolvedAt === null ? 'open' : 'resolved'),
    }),
    resolvedAt: t.expose('resolvedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was settled; null while it is open.',
    }),
    resolvedBy: t.field({
      type: UserType,
      nullable: true,
      description: 'Who settled it; null while it is open.',
      resolve: ({ resolvedBy: id }, _args, ctx) => (id === null ? null : loadUser(ctx, id)),
    }),
    replies: connection(t, {
      type: ReplyType,
      operation: listCommentReplies,
      without: ['commentId', 'spaceId', 'changeRequestId'],
      from: ({ id }) => ({ commentId: id }),
      list: ({ id }, _input, ctx) => repliesOfComment(ctx, id, {}),
    }),
    repliesCount: t.int({
      description: 'How many replies it has.',
      resolve: async ({ id }, _args, ctx) => (await replyCounts(ctx, id)).total,
    }),
    repliers: t.field({
      type: [ReplierType],
      description: 'Who replied, the last to do so first; at most 50.',
      resolve: async ({ id }, _args, ctx) => (await replyCounts(ctx, id)).repliers,
    }),
  }),
});

readInGraph(getComment);
registerNode(CommentType, 'comment', loadComment);

readInGraph(getCommentReply);
registerNode(ReplyType, 'reply', loadReply);

builder.objectFields(SpaceType, (t) => ({
  comments: connection(t, {
    type: CommentType,
    operation: listComments,
    description: 'The comments on its primary content, the newest first. None for those without a role on the space.',
    without: ['spaceId', 'changeRequestId'],
    from: ({ id }) => ({ spaceId: id }),
    list: ({ id }, input, ctx) => commentsOfSpace(ctx, id, choiceOf(input)),
  }),
  openCommentsCount: t.int({
    description: 'How many comments on its primary content are open. 0 when you may not see them.',
    resolve: ({ id }, _args, ctx) => openCommentsOfSpace(ctx, id),
  }),
  commenters: connection(t, {
    type: MemberType,
    operation: listCommenters,
    description: 'The members who wrote comments or replies on its primary content. Who joined last is first.',
    without: ['spaceId', 'changeRequestId'],
    from: ({ id }) => ({ spaceId: id }),
    list: ({ id }, _input, ctx) => commentersOfSpace(ctx, id, {}),
  }),
}));

builder.objectFields(ChangeRequestType, (t) => ({
  comments: connection(t, {
    type: CommentType,
    operation: listComments,
    description: 'The comments on it and on its content, the newest first.',
    without: ['spaceId', 'changeRequestId'],
    from: ({ id }) => ({ changeRequestId: id }),
    list: ({ id }, input, ctx) => commentsOfChangeRequest(ctx, id, choiceOf(input)),
  }),
  openCommentsCount: t.int({
    description: 'How many of its comments are open.',
    resolve: ({ id }, _args, ctx) => openCommentsOfChangeRequest(ctx, id),
  }),
  commenters: connection(t, {
    type: MemberType,
    operation: listCommenters,
    description: 'The members who wrote comments or replies on it. Who joined last is first.',
    without: ['spaceId', 'changeRequestId'],
    from: ({ id }) => ({ changeRequestId: id }),
    list: ({ id }, _input, ctx) => commentersOfChangeRequest(ctx, id, {}),
  }),
}));

const commentField = (description: string) => ({
  comment: { type: CommentType, description, resolve: (comment: CommentRow) => comment },
});

const replyFields = (description: string) => ({
  commentReply: { type: ReplyType, description, resolve: (reply: ReplyRow) => reply },
});

const deletedIdOf = (what: string) => ({
  type: 'ID',
  nullable: true,
  description: `Id of the deleted ${what}; null when there was none that you may see.`,
});

mutation(postComment, commentField('The new comment.'));
mutation(updateComment, commentField('The comment as it is now.'));
mutation(deleteComment, {
  deletedId: { ...deletedIdOf('comment'), resolve: ({ deletedId }) => deletedId },
  space: {
    type: SpaceType,
    nullable: true,
    description: 'The space that the comment was in; null when nothing was deleted.',
    resolve: ({ spaceId }, ctx) => (spaceId === null ? null : loadSpace(ctx, spaceId)),
  },
  changeRequest: {
    type: ChangeRequestType,
    nullable: true,
    description: 'The change request that the comment was on; null when it was on the primary content.',
    resolve: ({ changeRequestId }, ctx) => (changeRequestId === null ? null : loadChangeRequest(ctx, changeRequestId)),
  },
});
mutation(postCommentReply, replyFields('The new reply.'));
mutation(updateCommentReply, replyFields('The reply as it is now.'));
mutation(deleteCommentReply, {
  deletedId: { ...deletedIdOf('reply'), resolve: ({ deletedId }) => deletedId },
  comment: {
    type: CommentType,
    nullable: true,
    description: 'The comment that the reply belonged to; null when nothing was deleted.',
    resolve: ({ commentId }, ctx) => (commentId === null ? null : loadComment(ctx, commentId)),
  },
});

builder.subscriptionField('commentPosted', (t) =>
  t.field({
    type: CommentType,
    nullable: true,
    description:
      'Each comment as it is posted on the primary content of a space, or on a change request, for those who may read it: ' +
      'the stream ends with NOT_FOUND for who may not any more. Null when it is deleted already. After a break, ' +
      '`Last-Event-ID` or `after` goes on without a gap.',
    args: {
      spaceId: t.arg.id({ description: 'Id of the space (`space_…`), where it is about its primary content.' }),
      changeRequestId: t.arg.id({ description: 'Id of the change request (`cr_…`), where it is about one.' }),
      after: t.arg.id({
        description: 'Begins behind this event: the last that you have, by `extensions.eventId`. Default: from now on.',
      }),
    },
    subscribe: (_root, args, ctx) => subscribeToComments(ctx, args),
    resolve: ({ ids }, _args, ctx) => (ids.commentId === undefined ? null : loadComment(ctx, ids.commentId)),
  }),
);
