import { sql } from 'kysely';
import type { Row } from '../../../platform/database/tables.ts';
import { userIn, type VisibleUser } from '../../people/users/index.ts';

/** A comment without its body as a document, which is loaded only when requested. */
export type CommentRow = Omit<Row<'comment'>, 'body'> & Posted;

export type ReplyRow = Omit<Row<'comment_reply'>, 'body'> & Posted;

type Posted = {
  /** Only of rows that were just written, whose statement has read the author. */
  author?: VisibleUser;
};

/** The row of a statement that also reads `userOfColumn('postedBy')`. */
export const withAuthor = <Row extends Posted>(row: Row): Row => {
  const author = userIn(row);
  return author ? { ...row, author } : row;
};

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

const REPLY_COLUMNS = [...SHARED, 'commentId'] as const satisfies (keyof ReplyRow)[];

/** Qualifies columns with the table alias `c`. */
export const qualifyWithC = <Column extends string>(columns: readonly Column[]) =>
  columns.map((column) => `c.${column}` as const);

/** Columns of `c` as SQL. */
export const commentColumns = sql.join(qualifyWithC(COMMENT_COLUMNS).map((column) => sql.ref(column)));
export const replyColumns = sql.join(qualifyWithC(REPLY_COLUMNS).map((column) => sql.ref(column)));
