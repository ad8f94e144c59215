import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { types } from '../../../platform/resource/field-types.ts';
import { extendResource, resource } from '../../../platform/resource/resource.ts';
import { locationUrl } from '../../../platform/resource/urls.ts';
import { changeRequest, loadChangeRequest } from '../../content/change-requests/index.ts';
import { loadUser, user } from '../../people/users/index.ts';
import { comment, commentTarget, loadCommentOfReview } from '../comments/index.ts';
import { loadReview, type ReviewRow } from './access.ts';
import { reviewStatus } from './enums.ts';
import type { ReviewerWithRequest } from './list-requested-reviewers.ts';

/** URL of a review in the REST API. */
export const reviewLocation = ({ id, spaceId, changeRequestId }: ReviewRow, ctx: Context) =>
  locationUrl(ctx, `/v1/spaces/${spaceId}/change-requests/${changeRequestId}/reviews/${id}`);

const isOutdated = async ({ changeRequestId, revisionId }: ReviewRow, ctx: Context) =>
  (await loadChangeRequest(ctx, changeRequestId))?.revisionId !== revisionId;

const reviewUrls = resource<ReviewRow>({ name: 'ReviewUrls', description: 'API URLs of a review.' }, (f) => ({
  location: f.url('URL of the review in the REST API.', reviewLocation),
}));

export const review = resource<ReviewRow>(
  {
    name: 'Review',
    object: 'change-request-review',
    node: 'review',
    description: 'A review of one revision of a change request.',
  },
  (f) => ({
    revision: f.id('rev')('ID of the reviewed revision.', ({ revisionId }) => revisionId, { graph: false }),
    changeRequest: f
      .object(() => changeRequest)
      .optional(
        'Change request that was reviewed. Null if you can no longer read it.',
        ({ changeRequestId }, ctx) => loadChangeRequest(ctx, changeRequestId),
        { rest: false },
      ),
    reviewer: f
      .object(() => user)
      .optional('User who submitted the review.', ({ reviewerId }, ctx) => loadUser(ctx, reviewerId)),
    requestedBy: f
      .object(() => user)
      .optional('User who requested the review. Null if the review was not requested.', ({ requestedBy }, ctx) =>
        requestedBy === null ? null : loadUser(ctx, requestedBy),
      ),
    status: f.enum(reviewStatus)('Verdict of the reviewer.', ({ status }) => status),
    outdated: f.boolean(
      'Whether the content of the change request has changed since the review. Outdated reviews do not count towards merge rules that require a review.',
      isOutdated,
    ),
    comment: f
      .object(() => comment)
      .optional('Latest comment that the reviewer submitted with the review. Null if there is none.', ({ id }, ctx) =>
        loadCommentOfReview(ctx, id),
      ),
    createdAt: f.time('Time when the revision was first reviewed by the reviewer.', ({ createdAt }) => createdAt),
    updatedAt: f.time(
      'Time when the review was last submitted. Later than `createdAt` if the reviewer reviewed the same revision again.',
      ({ updatedAt }) => updatedAt,
    ),
    urls: f.object(() => reviewUrls)('URLs of the review.', (row) => row),
  }),
);

extendResource(commentTarget, (f) => ({
  review: f.reference(() => review, 'Review that the comment refers to. Null if there is none.', {
    prefix: 'review',
    id: ({ reviewId }) => reviewId,
    load: ({ reviewId: id }, ctx) => (id === null ? null : loadReview(ctx, id)),
  }),
}));

/** REST only: in the graph a requested reviewer is the user. */
export const requestedReviewer = resource<ReviewerWithRequest>(
  {
    name: 'RequestedReviewer',
    object: 'change-request-requested-reviewer',
    description: 'A user who was asked to review a change request.',
  },
  (f) => ({
    kind: f.json<'user'>(z.literal('user'))('Kind of reviewer.', () => 'user'),
    user: f.object(() => user)('User who was asked for a review.', (row) => row),
    revision: f.id('rev')(
      'ID of the revision of the change request when the review was requested.',
      ({ request }) => request.revisionId,
    ),
    requestedBy: f
      .object(() => user)
      .optional('User who requested the review.', ({ request }, ctx) => loadUser(ctx, request.requestedBy)),
    createdAt: f.time('Time when the review was requested.', ({ request }) => request.createdAt),
  }),
);

export const requestedReviewers = resource<readonly ReviewerWithRequest[]>(
  { name: 'RequestedReviewers', description: 'Users who were asked to review a change request.' },
  (f) => ({
    users: f.list(types.object(() => requestedReviewer))('Users who were asked, with their requests.', (rows) => rows),
  }),
);
