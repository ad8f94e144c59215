import { z } from 'zod';
import { requireUserId } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { conflict, forbidden } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { command } from '../../../platform/operation/operation.ts';
import {
  authorizeChangeRequest,
  type ChangeRequestRow,
  changeRequestName,
  lockChangeRequest,
} from '../../content/change-requests/index.ts';
import { permissions } from '../../people/access/index.ts';
import {
  bodyOrThrow,
  commentBody,
  discussionOn,
  insertComment,
  linkBaseInDiscussion,
  readCommentBody,
} from '../comments/index.ts';
import type { ReviewRow } from './access.ts';
import { reviewStatus } from './enums.ts';

const needed = permissions.submitReview.space;

export const submitReview = command({
  name: 'submitReview',
  scope: 'merge',
  description:
    'Reviews the current revision of a change request. When the content changes, the review becomes outdated and no ' +
    'longer counts towards merge rules that require a review. Another review of the same revision replaces the first. ' +
    'It also counts only while you can review the space. The expected version is that of the change request, so that you approve ' +
    'what you have read. Authors cannot approve their own change requests. CONFLICT if the change request is merged or archived.',
  input: z.object({
    ...changeRequestName,
    status: reviewStatus.describe('Your verdict on the change request.'),
    comment: commentBody.nullish().describe('Comment to post on the review.'),
  }),
  versioned: 'changeRequestId',
  authorize: authorizeChangeRequest(needed),
  prepare: async (ctx, { comment, changeRequestId, spaceId }) =>
    comment == null
      ? undefined
      : readCommentBody(ctx, comment, linkBaseInDiscussion(ctx, { changeRequestId, spaceId }, needed, null)),
  async run(ctx, { status, comment: _, ...name }, read): Promise<ReviewRow> {
    const changeRequest = await lockChangeRequest(ctx, name, needed);
    const reviewerId = requireUserId(ctx.actor);
    if (status === 'approved' && changeRequest.createdBy === reviewerId) {
      throw forbidden('You cannot approve your own change request.');
    }
    if (changeRequest.status === 'merged' || changeRequest.status === 'archived') {
      throw conflict(`The change request is ${changeRequest.status} and can no longer be reviewed.`);
    }
    const body = read && bodyOrThrow(read);
    const review = await storeReview(ctx, changeRequest, { reviewerId, status });
    const { id: changeRequestId, organizationId, spaceId } = changeRequest;
    const ids = { changeRequestId, reviewId: review.id };
    await recordEvent(ctx, { kind: 'change_request_reviewed', organizationId, spaceId, ids });
    if (body) await insertComment(ctx, discussionOn(changeRequest), { ...body, reviewId: review.id });
    return review;
  },
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
