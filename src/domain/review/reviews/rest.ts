import { z } from 'zod';
import { listRoute, type Route, route } from '../../../platform/http/route.ts';
import { descriptionFromRest, updateBody } from '../../content/change-requests/index.ts';
import { getReview } from './get-review.ts';
import { listRequestedReviewers } from './list-requested-reviewers.ts';
import { listReviews } from './list-reviews.ts';
import { loadRequestedReviewers } from './load-requested-reviewers.ts';
import {
  presentRequestedReviewer,
  presentReview,
  requestedReviewerShape,
  requestedReviewersShape,
  reviewLocation,
  reviewShape,
} from './present.ts';
import { removeRequestedReviewer } from './remove-requested-reviewer.ts';
import { requestReviewers } from './request-reviewers.ts';
import { submitReview } from './submit-review.ts';

const OF_CHANGE_REQUEST = '/v1/spaces/:spaceId/change-requests/:changeRequestId';
const REVIEWS = `${OF_CHANGE_REQUEST}/reviews`;
const REQUESTED = `${OF_CHANGE_REQUEST}/requested-reviewers`;

const { subject, description } = updateBody.shape;
const { userIds } = requestReviewers.input.shape;

const requestBody = z.object({ users: userIds, subject, description });

export const reviewRoutes: Route[] = [
  listRoute(REVIEWS, listReviews, {
    operationId: 'getReviewsByChangeRequestId',
    shape: reviewShape,
    present: presentReview,
  }),
  route('POST', REVIEWS, submitReview, {
    operationId: 'submitChangeRequestReview',
    status: 201,
    headers: (review, ctx) => ({ location: reviewLocation(review, ctx) }),
    shape: reviewShape,
    present: presentReview,
  }),
  route('GET', `${REVIEWS}/:reviewId`, getReview, {
    operationId: 'getChangeRequestReviewById',
    shape: reviewShape,
    present: presentReview,
  }),
  listRoute(REQUESTED, listRequestedReviewers, {
    operationId: 'getRequestedReviewersByChangeRequestId',
    shape: requestedReviewerShape,
    present: presentRequestedReviewer,
  }),
  route('POST', REQUESTED, requestReviewers, {
    operationId: 'requestReviewersForChangeRequest',
    rename: { users: 'userIds' },
    toInput: (given) => descriptionFromRest<z.input<typeof requestReviewers.input>>(given),
    body: requestBody,
    shape: requestedReviewersShape,
    present: async (asked, ctx) => {
      const reviewers = await loadRequestedReviewers(ctx, asked);
      return { users: await Promise.all(reviewers.map((reviewer) => presentRequestedReviewer(reviewer, ctx))) };
    },
  }),
  route('DELETE', `${REQUESTED}/:userId`, removeRequestedReviewer, {
    operationId: 'removeRequestedReviewerFromChangeRequest',
  }),
];
