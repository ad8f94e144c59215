import { defineEntity } from '@mikro-orm/core';
import { changes, createdTime, json, raisesVersion, text, time } from '../../../platform/database/columns.ts';
import type { Table } from '../../../platform/database/tables.ts';

/** What comments and replies have alike. The body is editable, so it is in the row and not addressed by hash. */
const written = {
  id: text().primary(),
  organizationId: text(),
  spaceId: text(),
  /** The change request that it is about; null on the primary content. */
  changeRequestId: text().nullable(),
  body: json<unknown>(),
  markdown: text(),
  postedBy: text(),
  postedAt: createdTime(),
  editedAt: time().nullable(),
  updatedAt: createdTime(),
  version: changes(),
};

/** A remark on a space or a change request, or on something in their content. */
export const Comment = defineEntity({
  name: 'Comment',
  tableName: 'comment',
  properties: {
    ...written,
    /** What the content was at when it was posted. */
    revisionId: text(),
    reviewId: text().nullable(),
    pageId: text().nullable(),
    /** Key of a node of the page's document. Keys are kept by edits, so it needs no following. */
    nodeId: text().nullable(),
    tableRecord: text().nullable(),
    tableDefinition: text().nullable(),
    resolvedAt: time().nullable(),
    resolvedBy: text().nullable(),
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

/** An answer to a comment. There are none to replies. */
export const CommentReply = defineEntity({
  name: 'CommentReply',
  tableName: 'comment_reply',
  properties: { ...written, commentId: text() },
  indexes: [
    { name: 'comment_reply_comment_index', properties: ['commentId', 'postedAt', 'id'] },
    { name: 'comment_reply_author_index', properties: ['spaceId', 'changeRequestId', 'postedBy'] },
  ],
  triggers: [raisesVersion()],
});

/** An emoji of a user under a comment or a reply. */
export const CommentReaction = defineEntity({
  name: 'CommentReaction',
  tableName: 'comment_reaction',
  properties: {
    /** The comment or the reply. */
    subjectId: text().primary(),
    /** The emoji's code points in hex, without variation selectors: one for all spellings. */
    code: text().primary(),
    userId: text().primary(),
    organizationId: text(),
    spaceId: text(),
    /** As the user wrote it. */
    emoji: text(),
    reactedAt: createdTime(),
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
