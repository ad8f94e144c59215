import { z } from 'zod';
import { requireUserId } from '../../platform/access/actor.ts';
import { nowOf } from '../../platform/context.ts';
import { recordEvent } from '../../platform/events/record-event.ts';
import { newId } from '../../platform/ids.ts';
import { command } from '../../platform/operation.ts';
import { needs } from '../access/index.ts';
import { discussionFor, discussionName } from './access.ts';
import { COMMENT_COLUMNS, type CommentRow } from './columns.ts';
import { accepted, commentBody, readCommentBody } from './comment-body.ts';
import { commentIds, placeOf } from './event-ids.ts';
import { refuseUnknownTarget, targetInput } from './target.ts';

const needed = needs.postComment.space;

export const postComment = command({
  name: 'postComment',
  description:
    'Posts a comment on the primary content of a space, or on a change request: on all of it, or on a page, a node or a ' +
    'cell of a table in it, as they are now. NOT_FOUND when there is no such page or node.',
  input: z.object({
    ...discussionName,
    ...targetInput,
    body: commentBody,
  }),
  authorize: (ctx, { spaceId, changeRequestId }) =>
    discussionFor(ctx, { spaceId: spaceId || null, changeRequestId: changeRequestId || null }, needed),
  prepare: (_ctx, { body }) => readCommentBody(body),
  async run(ctx, { body: _, spaceId, changeRequestId, ...target }, read): Promise<CommentRow> {
    const discussion = await discussionFor(ctx, { spaceId, changeRequestId }, needed, 'for key share');
    const { body, markdown } = accepted(read);
    await refuseUnknownTarget(ctx, discussion, target);
    const comment = await ctx.db
      .insertInto('comment')
      .values({
        id: newId('comment'),
        organization_id: discussion.organizationId,
        space_id: discussion.spaceId,
        change_request_id: discussion.changeRequestId,
        revision_id: discussion.revisionId,
        page_id: target.pageId ?? null,
        node_id: target.node ?? null,
        table_record: target.tableCell?.record ?? null,
        table_definition: target.tableCell?.definition ?? null,
        body: JSON.stringify(body),
        markdown,
        posted_by: requireUserId(ctx.actor),
        posted_at: nowOf(ctx),
      })
      .returning(COMMENT_COLUMNS)
      .executeTakeFirstOrThrow();
    await recordEvent(ctx, { kind: 'comment_posted', ...placeOf(comment), ids: commentIds(comment) });
    return comment;
  },
});
