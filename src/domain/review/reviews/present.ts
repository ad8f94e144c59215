import { z } from 'zod';
import type { Context } from '../../../platform/context.ts';
import { addressIn, idIn, namedShape, objectIs, timeIn } from '../../../platform/shapes.ts';
import { locationUrl } from '../../../platform/urls.ts';
import { loadChangeRequest } from '../../content/change-requests/index.ts';
import { loadUser, presentUser, userShape } from '../../people/users/index.ts';
import { commentShape, loadCommentOfReview, presentComment } from '../comments/index.ts';
import type { ReviewRow } from './access.ts';
import { reviewStatus } from './enums.ts';
import type { RequestedReviewer } from './list-requested-reviewers.ts';

export const reviewLocation = ({ id, spaceId, changeRequestId }: ReviewRow, ctx: Context) =>
  locationUrl(ctx, `/v1/spaces/${spaceId}/change-requests/${changeRequestId}/reviews/${id}`);

/** Whether the change request has other content by now. */
export const isReviewOutdated = async (ctx: Context, { changeRequestId, revisionId }: ReviewRow) =>
  (await loadChangeRequest(ctx, changeRequestId))?.revisionId !== revisionId;

/** REST's ChangeRequestReview. */
export async function presentReview(review: ReviewRow, ctx: Context) {
  const [reviewer, requestedBy, outdated, comment] = await Promise.all([
    userOf(review.reviewerId, ctx),
    userOf(review.requestedBy, ctx),
    isReviewOutdated(ctx, review),
    loadCommentOfReview(ctx, review.id),
  ]);
  return {
    object: 'change-request-review',
    id: review.id,
    revision: review.revisionId,
    ...(reviewer && { reviewer }),
    ...(requestedBy && { requestedBy }),
    status: review.status,
    outdated,
    ...(comment && { comment: await presentComment(comment, ctx) }),
    createdAt: review.createdAt,
    updatedAt: review.updatedAt,
    urls: { location: reviewLocation(review, ctx) },
  };
}

/** REST's ChangeRequestRequestedReviewer. */
export const presentRequestedReviewer = async ({ request, ...user }: RequestedReviewer, ctx: Context) => ({
  object: 'change-request-requested-reviewer',
  kind: 'user',
  user: presentUser(user, ctx),
  revision: request.revisionId,
  requestedBy: await userOf(request.requestedBy, ctx),
  createdAt: request.createdAt,
});

async function userOf(userId: string | null, ctx: Context) {
  const user = userId === null ? undefined : await loadUser(ctx, userId);
  return user && presentUser(user, ctx);
}

export const reviewShape = namedShape('Review', 'What somebody thinks of a change request.', {
  object: objectIs('change-request-review'),
  id: idIn('review'),
  revision: idIn('rev', 'The content that was reviewed.'),
  reviewer: userShape.optional().describe('Who reviewed it.'),
  requestedBy: userShape.optional().describe('Who had asked for it, if anybody had.'),
  status: reviewStatus.describe('What they think of it.'),
  outdated: z.boolean().describe('Whether the change request has other content by now.'),
  comment: commentShape.optional().describe('What the reviewer said with it, the last time if it was submitted again.'),
  createdAt: timeIn('When it was submitted.'),
  updatedAt: timeIn('When it was last submitted anew for the same content.'),
  urls: z.object({ location: addressIn('Where it is in REST.') }).describe('Addresses.'),
});

export const requestedReviewerShape = namedShape('RequestedReviewer', 'Somebody who was asked for a review.', {
  object: objectIs('change-request-requested-reviewer'),
  kind: z.literal('user').describe('What kind of reviewer was asked.'),
  user: userShape.describe('Who was asked.'),
  revision: idIn('rev', 'The content when they were asked.'),
  requestedBy: userShape.optional().describe('Who asked.'),
  createdAt: timeIn('When they were asked.'),
});

export const requestedReviewersShape = z
  .object({ users: z.array(requestedReviewerShape).describe('Those who were named, with their requests.') })
  .describe('Who was asked.');
