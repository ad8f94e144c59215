import { defineEntity } from '@mikro-orm/core';
import { createdTime, reference, text } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';
import type { ReviewStatus } from './enums.ts';

/** A user's verdict on one revision of a change request. Reviewing the same revision again replaces it. */
export const Review = defineEntity({
  name: 'Review',
  tableName: 'review',
  properties: {
    id: text().primary(),
    organizationId: text(),
    spaceId: text(),
    changeRequestId: text(),
    /** The reviewed revision: the current one of the change request at that time. */
    revisionId: text(),
    reviewerId: text(),
    /** User who requested the review. */
    requestedBy: text().nullable(),
    status: text().$type<ReviewStatus>(),
    createdAt: createdTime(),
    updatedAt: createdTime(),
    organization: reference('Organization', 'organization_id'),
    space: reference('Space', 'space_id'),
    changeRequest: reference('ChangeRequest', 'change_request_id'),
    revision: reference('Revision', 'revision_id'),
    reviewer: reference('User', 'reviewer_id'),
  },
  uniques: [{ name: 'review_verdict_unique', properties: ['changeRequestId', 'reviewerId', 'revisionId'] }],
  indexes: [
    { name: 'review_change_request_index', properties: ['changeRequestId', 'createdAt', 'id'] },
    { name: 'review_space_index', properties: ['spaceId'] },
  ],
});

/** A request to a user to review a change request. */
export const RequestedReviewer = defineEntity({
  name: 'RequestedReviewer',
  tableName: 'requested_reviewer',
  properties: {
    changeRequestId: text().primary(),
    userId: text().primary(),
    organizationId: text(),
    spaceId: text(),
    /** The current revision at the time of the request. */
    revisionId: text(),
    requestedBy: text(),
    createdAt: createdTime(),
    changeRequest: reference('ChangeRequest', 'change_request_id'),
    user: reference('User', 'user_id'),
    organization: reference('Organization', 'organization_id'),
    space: reference('Space', 'space_id'),
    revision: reference('Revision', 'revision_id'),
  },
  indexes: [
    { name: 'requested_reviewer_user_index', properties: ['userId', 'changeRequestId'] },
    { name: 'requested_reviewer_space_index', properties: ['spaceId'] },
  ],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    review: Table<typeof Review>;
    requested_reviewer: Table<typeof RequestedReviewer>;
  }
}
