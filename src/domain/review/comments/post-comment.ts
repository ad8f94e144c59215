import { z } from 'zod';
import { command } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { discussionFor, discussionName, discussionOfIds } from './access.ts';
import type { CommentRow } from './columns.ts';
import { bodyOrThrow, commentBody, readCommentBody } from './comment-body.ts';
import { insertComment } from './insert-comment.ts';
import { rejectUnknownTarget, targetInput } from './target.ts';
import { placeInDiscussion } from './text-place.ts';

const needed = permissions.postComment.space;

export const postComment = command({
  name: 'postComment',
  description:
    'Posts a comment on the primary content of a space or on a change request. The comment can refer to a page, a node of its ' +
    'document, a table cell, or a review. NOT_FOUND if the page or node does not exist in the current content.',
  input: z.object({
    ...discussionName,
    ...targetInput,
    body: commentBody,
  }),
  authorize: (ctx, ids) => discussionFor(ctx, discussionOfIds(ids), needed),
  prepare: (ctx, { body, pageId, ...name }) => readCommentBody(ctx, body, placeInDiscussion(ctx, name, needed, pageId)),
  async run(ctx, { body: _, spaceId, changeRequestId, ...target }, read): Promise<CommentRow> {
    const discussion = await discussionFor(ctx, { spaceId, changeRequestId }, needed);
    const body = bodyOrThrow(read);
    await rejectUnknownTarget(ctx, discussion, target);
    return insertComment(ctx, discussion, { ...body, ...target });
  },
});
