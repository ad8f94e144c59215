import { sql } from 'kysely';
import type { Row } from '../../../platform/database/tables.ts';

/** A comment without its body as JSON, which is read only where somebody asks for that form. */
export type CommentRow = Omit<Row<'comment'>, 'body'>;

export type ReplyRow = Omit<Row<'comment_reply'>, 'body'>;

const SHARED = [
  'id',
  'organization_id',
  'space_id',
  'change_request_id',
  'markdown',
  'posted_by',
  'posted_at',
  'edited_at',
  'updated_at',
  'version',
] as const;

export const COMMENT_COLUMNS = [
  ...SHARED,
  'revision_id',
  'review_id',
  'page_id',
  'node_id',
  'table_record',
  'table_definition',
  'resolved_at',
  'resolved_by',
] as const satisfies (keyof CommentRow)[];

export const REPLY_COLUMNS = [...SHARED, 'comment_id'] as const satisfies (keyof ReplyRow)[];

const of = (columns: readonly string[]) => sql.raw(columns.map((column) => `c.${column}`).join(', '));

/** The columns of `c`. */
export const commentColumns = of(COMMENT_COLUMNS);
export const replyColumns = of(REPLY_COLUMNS);
