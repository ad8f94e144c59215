import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { readInGraph } from '../../../platform/graphql/operations-in-graph.ts';
import { typeOf } from '../../../platform/graphql/resource-type.ts';
import { ChangeRequestType } from '../../content/change-requests/graphql.ts';
import { loadChangeRequest } from '../../content/change-requests/index.ts';
import { RevisionType } from '../../content/revisions/graphql.ts';
import { loadRevision } from '../../content/revisions/index.ts';
import { UserType } from '../../people/users/graphql.ts';
import { loadReview } from './access.ts';
import { getReview } from './get-review.ts';
import { listRequestedReviewers, requestedReviewersOf } from './list-requested-reviewers.ts';
import { listReviews, reviewsOfChangeRequest } from './list-reviews.ts';
import { removeRequestedReviewer } from './remove-requested-reviewer.ts';
import { requestReviewers } from './request-reviewers.ts';
import { review } from './resources.ts';
import { submitReview } from './submit-review.ts';

export const ReviewType = typeOf(review);

builder.objectFields(ReviewType, (t) => ({
  revision: t.field({
    type: RevisionType,
    nullable: true,
    description: 'Reviewed revision of the change request.',
    resolve: ({ revisionId }, _args, ctx) => loadRevision(ctx, revisionId),
  }),
}));

registerNode(ReviewType, 'review', loadReview);
readInGraph(getReview);

builder.objectFields(ChangeRequestType, (t) => ({
  reviews: connection(t, {
    type: ReviewType,
    operation: listReviews,
    without: ['changeRequestId', 'spaceId'],
    from: ({ id }) => ({ changeRequestId: id }),
    list: ({ id }, { outdated }, ctx) => reviewsOfChangeRequest(ctx, id, { outdated: outdated ?? null }),
  }),
  requestedReviewers: connection(t, {
    type: UserType,
    operation: listRequestedReviewers,
    without: ['changeRequestId', 'spaceId'],
    from: ({ id }) => ({ changeRequestId: id }),
    list: ({ id }, _input, ctx) => requestedReviewersOf(ctx, id),
  }),
}));

const changeRequestField = {
  type: ChangeRequestType,
  nullable: true,
  description: 'The change request. Null if you cannot see it.',
};

mutation(submitReview, {
  review: { type: ReviewType, description: 'The submitted review.', resolve: (row) => row },
  changeRequest: {
    ...changeRequestField,
    resolve: ({ changeRequestId }, ctx) => loadChangeRequest(ctx, changeRequestId),
  },
});

mutation(requestReviewers, {
  changeRequest: {
    ...changeRequestField,
    resolve: ({ changeRequestId }, ctx) => loadChangeRequest(ctx, changeRequestId),
  },
});

mutation(removeRequestedReviewer, {
  deletedId: {
    type: 'ID',
    nullable: true,
    description: 'ID of the user whose review request was removed. Null if there was no request.',
    resolve: ({ deletedId }) => deletedId,
  },
  changeRequest: {
    ...changeRequestField,
    resolve: ({ changeRequestId }, ctx) => (changeRequestId === null ? null : loadChangeRequest(ctx, changeRequestId)),
  },
});
