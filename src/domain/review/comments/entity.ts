import { defineEntity } from '@mikro-orm/core';
import {
  changes,
  createdTime,
  json,
  raisesVersion,
  reference,
  text,
  time,
} from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/** Shared columns of comments and replies. The body can be edited, so it is stored in the row and not by hash. */
const sharedColumns = {
  id: text().primary(),
  organizationId: text(),
  spaceId: text(),
  /** Null for comments on the primary content of the space. */
  changeRequestId: text().nullable(),
  body: json<unknown>(),
  markdown: text(),
  postedBy: text(),
  postedAt: createdTime(),
  editedAt: time().nullable(),
  updatedAt: createdTime(),
  version: changes(),
  organization: reference('Organization', 'organization_id'),
  space: reference('Space', 'space_id'),
  changeRequest: reference('ChangeRequest', 'change_request_id').nullable(),
};

/** A comment on a space, a change request, or a part of their content. */
export const Comment = defineEntity({
  name: 'Comment',
  tableName: 'comment',
  properties: {
    ...sharedColumns,
    /** Revision of the content at the time of posting. */
    revisionId: text(),
    reviewId: text().nullable(),
    pageId: text().nullable(),
    /** Key of a node in the page's document. Edits keep keys, so the reference stays valid. */
    nodeId: text().nullable(),
    tableRecord: text().nullable(),
    tableDefinition: text().nullable(),
    resolvedAt: time().nullable(),
    resolvedBy: text().nullable(),
    revision: reference('Revision', 'revision_id'),
    review: reference('Review', 'review_id').nullable(),
  },
  indexes: [
    {
      name: 'comment_space_index',
      expression:
        'create index "comment_space_index" on "comment" ("space_id", "posted_at", "id") where "change_request_id" is null',
    },
    {
      name: 'comment_change_request_index',
      expression:
        'create index "comment_change_request_index" on "comment" ("change_request_id", "posted_at", "id") where "change_request_id" is not null',
    },
    {
      name: 'comment_page_index',
      expression:
        'create index "comment_page_index" on "comment" ("space_id", "page_id", "posted_at", "id") where "page_id" is not null',
    },
    {
      name: 'comment_open_index',
      expression:
        'create index "comment_open_index" on "comment" ("space_id", "change_request_id") where "resolved_at" is null',
    },
    { name: 'comment_author_index', properties: ['spaceId', 'changeRequestId', 'postedBy'] },
  ],
  triggers: [raisesVersion()],
});

/** A reply to a comment. */
export const CommentReply = defineEntity({
  name: 'CommentReply',
  tableName: 'comment_reply',
  properties: { ...sharedColumns, commentId: text(), comment: reference('Comment', 'comment_id') },
  indexes: [
    { name: 'comment_reply_comment_index', properties: ['commentId', 'postedAt', 'id'] },
    { name: 'comment_reply_author_index', properties: ['spaceId', 'changeRequestId', 'postedBy'] },
  ],
  triggers: [raisesVersion()],
});

/** An emoji reaction of a user to a comment or reply. */
export const CommentReaction = defineEntity({
  name: 'CommentReaction',
  tableName: 'comment_reaction',
  properties: {
    /** Id of the comment or reply. */
    subjectId: text().primary(),
    /** Code points of the emoji in hex, without variation selectors, so that all spellings are equal. */
    code: text().primary(),
    userId: text().primary(),
    organizationId: text(),
    spaceId: text(),
    /** The emoji as the user sent it. */
    emoji: text(),
    reactedAt: createdTime(),
    user: reference('User', 'user_id'),
    organization: reference('Organization', 'organization_id'),
    space: reference('Space', 'space_id'),
  },
  indexes: [{ name: 'comment_reaction_space_index', properties: ['spaceId'] }],
});

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    comment: Table<typeof Comment>;
    comment_reply: Table<typeof CommentReply>;
    comment_reaction: Table<typeof CommentReaction>;
  }
}
