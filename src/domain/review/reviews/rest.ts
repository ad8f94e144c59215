import { z } from 'zod';
import { listRoute, type Route, resourceResponse, route } from '../../../platform/http/route.ts';
import { descriptionFromRest, updateBody } from '../../content/change-requests/index.ts';
import { getReview } from './get-review.ts';
import { listRequestedReviewers } from './list-requested-reviewers.ts';
import { listReviews } from './list-reviews.ts';
import { loadRequestedReviewers } from './load-requested-reviewers.ts';
import { removeRequestedReviewer } from './remove-requested-reviewer.ts';
import { requestReviewers } from './request-reviewers.ts';
import { requestedReviewer, requestedReviewers, review, reviewLocation } from './resources.ts';
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
    response: resourceResponse(review),
  }),
  route('POST', REVIEWS, submitReview, {
    operationId: 'submitChangeRequestReview',
    status: 201,
    headers: (row, ctx) => ({ location: reviewLocation(row, ctx) }),
    response: resourceResponse(review),
  }),
  route('GET', `${REVIEWS}/:reviewId`, getReview, {
    operationId: 'getChangeRequestReviewById',
    response: resourceResponse(review),
  }),
  listRoute(REQUESTED, listRequestedReviewers, {
    operationId: 'getRequestedReviewersByChangeRequestId',
    response: resourceResponse(requestedReviewer),
  }),
  route('POST', REQUESTED, requestReviewers, {
    operationId: 'requestReviewersForChangeRequest',
    rename: { users: 'userIds' },
    toInput: (body) => descriptionFromRest<z.input<typeof requestReviewers.input>>(body),
    body: requestBody,
    response: resourceResponse(requestedReviewers, (request, ctx) => loadRequestedReviewers(ctx, request)),
  }),
  route('DELETE', `${REQUESTED}/:userId`, removeRequestedReviewer, {
    operationId: 'removeRequestedReviewerFromChangeRequest',
  }),
];
