import { sql } from 'kysely';
import type { Row } from '../../../platform/database/tables.ts';

/** A comment without its body as JSON, which is read only where somebody asks for that form. */
export type CommentRow = Omit<Row<'comment'>, 'body'>;

export type ReplyRow = Omit<Row<'comment_reply'>, 'body'>;

const SHARED = [
  'id',
  'organizationId',
  'spaceId',
  'changeRequestId',
  'markdown',
  'postedBy',
  'postedAt',
  'editedAt',
  'updatedAt',
  'version',
] as const;

export const COMMENT_COLUMNS = [
  ...SHARED,
  'revisionId',
  'reviewId',
  'pageId',
  'nodeId',
  'tableRecord',
  'tableDefinition',
  'resolvedAt',
  'resolvedBy',
] as const satisfies (keyof CommentRow)[];

export const REPLY_COLUMNS = [...SHARED, 'commentId'] as const satisfies (keyof ReplyRow)[];

const of = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(`c.${column}`)));

/** The columns of `c`. */
export const commentColumns = of(COMMENT_COLUMNS);
export const replyColumns = of(REPLY_COLUMNS);
