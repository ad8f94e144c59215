import { builder } from '../../../platform/graphql/builder.ts';
import { connection } from '../../../platform/graphql/connection.ts';
import { readInGraph } from '../../../platform/graphql/coverage.ts';
import { enumType } from '../../../platform/graphql/enums.ts';
import { mutation } from '../../../platform/graphql/mutation.ts';
import { registerNode } from '../../../platform/graphql/node.ts';
import { ChangeRequestType } from '../../content/change-requests/graphql.ts';
import { loadChangeRequest } from '../../content/change-requests/index.ts';
import { RevisionType } from '../../content/revisions/graphql.ts';
import { loadRevision } from '../../content/revisions/index.ts';
import { UserType } from '../../people/users/graphql.ts';
import { loadUser } from '../../people/users/index.ts';
import { CommentTargetType, CommentType } from '../comments/graphql.ts';
import { loadCommentOfReview } from '../comments/index.ts';
import { loadReview, type ReviewRow } from './access.ts';
import { reviewStatus } from './enums.ts';
import { getReview } from './get-review.ts';
import { listRequestedReviewers, requestedReviewersOf } from './list-requested-reviewers.ts';
import { listReviews, reviewsOfChangeRequest } from './list-reviews.ts';
import { isReviewOutdated, reviewLocation } from './present.ts';
import { removeRequestedReviewer } from './remove-requested-reviewer.ts';
import { requestReviewers } from './request-reviewers.ts';
import { submitReview } from './submit-review.ts';

const UrlsType = builder.objectRef<ReviewRow>('ReviewUrls').implement({
  description: 'Addresses of a review.',
  fields: (t) => ({
    location: t.field({
      type: 'URL',
      description: 'The review in REST.',
      resolve: (review, _args, ctx) => reviewLocation(review, ctx),
    }),
  }),
});

export const ReviewType = builder.objectRef<ReviewRow>('Review').implement({
  description: 'What somebody thinks of a change request, in one state of its content.',
  fields: (t) => ({
    status: t.expose('status', { type: enumType(reviewStatus), description: 'What they think of it.' }),
    outdated: t.boolean({
      description:
        'Whether the change request has other content by now: the review then counts for no rule that wants one.',
      resolve: (review, _args, ctx) => isReviewOutdated(ctx, review),
    }),
    reviewer: t.field({
      type: UserType,
      nullable: true,
      description: 'Who reviewed it; null once the account is gone.',
      resolve: ({ reviewerId }, _args, ctx) => loadUser(ctx, reviewerId),
    }),
    requestedBy: t.field({
      type: UserType,
      nullable: true,
      description: 'Who had asked for the review, if anybody had.',
      resolve: ({ requestedBy }, _args, ctx) => (requestedBy === null ? null : loadUser(ctx, requestedBy)),
    }),
    revision: t.field({
      type: RevisionType,
      nullable: true,
      description: 'The content that was reviewed.',
      resolve: ({ revisionId }, _args, ctx) => loadRevision(ctx, revisionId),
    }),
    changeRequest: t.field({
      type: ChangeRequestType,
      nullable: true,
      description: 'The change request; null once you may not read it any more.',
      resolve: ({ changeRequestId }, _args, ctx) => loadChangeRequest(ctx, changeRequestId),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was submitted.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When it was last submitted anew for the same content.',
    }),
    urls: t.field({ type: UrlsType, description: 'Addresses of this review.', resolve: (review) => review }),
  }),
});

builder.objectField(ReviewType, 'comment', (t) =>
  t.field({
    type: CommentType,
    nullable: true,
    description: 'What the reviewer said with it, the last time if it was submitted again; null when nothing.',
    resolve: ({ id }, _args, ctx) => loadCommentOfReview(ctx, id),
  }),
);

builder.objectField(CommentTargetType, 'review', (t) =>
  t.field({
    type: ReviewType,
    nullable: true,
    description: 'The review, if it is about one.',
    resolve: ({ reviewId: id }, _args, ctx) => (id === null ? null : loadReview(ctx, id)),
  }),
);

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

/** The change request that a payload is about, read after the command. */
const changeRequestField = {
  type: ChangeRequestType,
  nullable: true,
  description: 'The change request as it is now; null when there is none that you may see.',
};

mutation(submitReview, {
  review: { type: ReviewType, description: 'What you think of it, as it is kept.', resolve: (review) => review },
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
    description: 'Id of the user who is asked no longer; null when they were not asked.',
    resolve: ({ deletedId }) => deletedId,
  },
  changeRequest: {
    ...changeRequestField,
    resolve: ({ changeRequestId }, ctx) => (changeRequestId === null ? null : loadChangeRequest(ctx, changeRequestId)),
  },
});
