import { z } from 'zod';
import { ApiError } from '../../../platform/errors/errors.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { discussionFor, discussionName, discussionOfIds } from './access.ts';
import type { CommentRow } from './columns.ts';
import { bodyOrThrow, commentBody, readCommentBody } from './comment-body.ts';
import { insertComment, insertUnlessStale } from './insert-comment.ts';
import { linkBaseInDiscussion } from './link-base.ts';
import { hasTarget, rejectUnknownTarget, targetInput } from './target.ts';

const needed = permissions.postComment.space;

export const postComment = command({
  name: 'postComment',
  scope: 'comment',
  description:
    'Posts a comment on the primary content of a space or on a change request. The comment can refer to a page, a node of its ' +
    'document, a table cell, or a review. NOT_FOUND if the page or node does not exist in the current content.',
  input: z.object({
    ...discussionName,
    ...targetInput,
    body: commentBody,
  }),
  authorize: (ctx, ids) => discussionFor(ctx, discussionOfIds(ids), needed),
  prepare: (ctx, { body, pageId, ...name }) =>
    readCommentBody(ctx, body, linkBaseInDiscussion(ctx, name, needed, pageId)),
  /**
   * Comments on a space as a whole, the most frequent writes. The access is decided on a read that concurrent requests
   * share, and the statement writes nothing if it has changed since. In a transaction, 32 connections posted .57 times
   * as many comments as PostGraphile and .33 times as many as Mercurius. With one statement, they post 1.2 and .65
   * times as many (Q4 of `npm run bench`), and the project accepts no less than 1 and .5.
   */
  async runAtOnce(ctx, { body: _, spaceId, changeRequestId, ...target }, read) {
    if (spaceId == null || changeRequestId != null || read instanceof ApiError || hasTarget(target)) return undefined;
    const { organizationId, revisionId, accessVersion } = await spaceFor(ctx, spaceId, needed);
    const discussion = { organizationId, spaceId, changeRequestId: null, revisionId, accessVersion };
    return insertUnlessStale(ctx, discussion, read);
  },
  async run(ctx, { body: _, spaceId, changeRequestId, ...target }, read): Promise<CommentRow> {
    const discussion = await discussionFor(ctx, { spaceId, changeRequestId }, needed);
    const body = bodyOrThrow(read);
    await rejectUnknownTarget(ctx, discussion, target);
    return insertComment(ctx, discussion, { ...body, ...target });
  },
});
