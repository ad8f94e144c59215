import { z } from 'zod';
import { ApiError } from '../../../platform/errors.ts';
import { command } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { discussionFor, discussionName, discussionOfIds, discussionToWrite } from './access.ts';
import type { CommentRow } from './columns.ts';
import { accepted, commentBody, readCommentBody } from './comment-body.ts';
import { insertComment } from './insert-comment.ts';
import { hasTarget, rejectUnknownTarget, targetInput } from './target.ts';
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
  writesOnce: true,
  async run(ctx, { body: _, spaceId, changeRequestId, ...target }, read): Promise<CommentRow> {
    const name = { spaceId, changeRequestId };
    // Nothing of the content is needed, and no error can follow that depends on the space.
    if (!(read instanceof ApiError) && !hasTarget(target)) {
      return insertComment(ctx, await discussionToWrite(ctx, name, needed), { ...read, ...target });
    }
    const discussion = await discussionFor(ctx, name, needed);
    const body = accepted(read);
    await rejectUnknownTarget(ctx, discussion, target);
    return insertComment(ctx, discussion, { ...body, ...target });
  },
});
