import { z } from 'zod';
import { requireUserId } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context.ts';
import { conflict, forbidden } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids.ts';
import { command } from '../../../platform/operation.ts';
import {
  authorizeChangeRequest,
  type ChangeRequestRow,
  changeRequestName,
  holdChangeRequest,
} from '../../content/change-requests/index.ts';
import { permissions } from '../../people/access/index.ts';
import { accepted, commentBody, insertComment, placeInDiscussion, readCommentBody } from '../comments/index.ts';
import type { ReviewRow } from './access.ts';
import { reviewStatus } from './enums.ts';

const needed = permissions.submitReview.space;

export const submitReview = command({
  name: 'submitReview',
  description:
    'Says what you think of a change request as it is now. Once its content changes the review is outdated and counts for ' +
    'no merge rule that wants one. A second review of the same content replaces the first. Authors may not approve their ' +
    'own; a merged or archived one answers CONFLICT.',
  input: z.object({
    ...changeRequestName,
    status: reviewStatus.describe('What you think of it.'),
    comment: commentBody.nullish().describe('Why: posted as a comment on the review.'),
  }),
  authorize: authorizeChangeRequest(needed),
  prepare: async (ctx, { comment, changeRequestId, spaceId }) =>
    comment == null
      ? undefined
      : readCommentBody(ctx, comment, placeInDiscussion(ctx, { changeRequestId, spaceId }, needed, null)),
  async run(ctx, { status, comment: _, ...name }, read): Promise<ReviewRow> {
    const changeRequest = await holdChangeRequest(ctx, name, needed);
    const reviewerId = requireUserId(ctx.actor);
    if (status === 'approved' && changeRequest.createdBy === reviewerId) {
      throw forbidden('Nobody approves a change request of their own.');
    }
    if (changeRequest.status === 'merged' || changeRequest.status === 'archived') {
      throw conflict(`This change request is ${changeRequest.status}; there is nothing left to review.`);
    }
    const body = read && accepted(read);
    const review = await storeReview(ctx, changeRequest, { reviewerId, status });
    const { id: changeRequestId, organizationId, spaceId } = changeRequest;
    const ids = { changeRequestId, reviewId: review.id };
    await recordEvent(ctx, { kind: 'change_request_reviewed', organizationId, spaceId, ids });
    if (body) await insertComment(ctx, discussionOn(changeRequest), { ...body, reviewId: review.id });
    return review;
  },
});

const discussionOn = ({ id, organizationId, spaceId, revisionId }: ChangeRequestRow) => ({
  organizationId,
  spaceId,
  changeRequestId: id,
  revisionId,
});

async function storeReview(
  ctx: Context,
  { id, organizationId, spaceId, revisionId }: ChangeRequestRow,
  { reviewerId, status }: { reviewerId: string; status: ReviewRow['status'] },
): Promise<ReviewRow> {
  const now = nowOf(ctx);
  const request = await ctx.db
    .selectFrom('requested_reviewer')
    .where('changeRequestId', '=', id)
    .where('userId', '=', reviewerId)
    .select('requestedBy')
    .executeTakeFirst();
  return ctx.db
    .insertInto('review')
    .values({
      id: newId('review'),
      organizationId,
      spaceId,
      changeRequestId: id,
      revisionId,
      reviewerId,
      requestedBy: request?.requestedBy ?? null,
      status,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((same) => same.constraint('review_verdict_unique').doUpdateSet({ status, updatedAt: now }))
    .returningAll()
    .executeTakeFirstOrThrow();
}
