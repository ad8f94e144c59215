import { type RawBuilder, sql } from 'kysely';
import type { Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { badInput } from '../../../platform/errors/errors.ts';
import { idOf } from '../../../platform/operation/operation.ts';
import { recordVersion } from '../../../platform/operation/version.ts';
import { type ChangeRequestRow, changeRequestFor, isChangeRequestNamed } from '../../content/change-requests/index.ts';
import {
  authorize,
  conditionsInSql,
  type Loaded,
  permissions,
  rowsInSpaces,
  sharedRowsInSpaces,
} from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { type CommentRow, commentColumns, type ReplyRow, replyColumns } from './columns.ts';

/** Input fields that name a discussion. REST paths of change requests include the space too. */
export const discussionName = {
  spaceId: idOf('space')
    .nullish()
    .describe(
      'ID of the space, for comments on its primary content. If `changeRequestId` is given, ID of the space that the change request must belong to.',
    ),
  changeRequestId: idOf('cr').nullish().describe('ID of the change request or, if `spaceId` is given, its number.'),
};

/** Input fields that name a reply. */
export const replyName = {
  ...discussionName,
  commentId: idOf('comment').nullish().describe('ID of the comment that the reply must belong to.'),
  commentReplyId: idOf('reply'),
};

/** Reads a discussion from unvalidated input, where missing ids are empty. */
export const discussionOfIds = ({ spaceId, changeRequestId }: Record<string, string>): DiscussionName => ({
  spaceId: spaceId || null,
  changeRequestId: changeRequestId || null,
});

export interface DiscussionName {
  spaceId?: string | null | undefined;
  changeRequestId?: string | null | undefined;
}

/** The place of comments: the content of a space, or one of its change requests. */
export interface Discussion {
  organizationId: string;
  spaceId: string;
  changeRequestId: string | null;
  /** Current revision of the content. */
  revisionId: string;
}

/**
 * Loads a discussion for a caller with at least `role` on the space. Throws the errors of `spaceFor` and
 * `changeRequestFor`.
 */
export async function discussionFor(
  ctx: Context,
  { spaceId, changeRequestId }: DiscussionName,
  role: Role,
): Promise<Discussion> {
  if (changeRequestId != null) {
    return discussionOn(await changeRequestFor(ctx, changeRequestId, role, { spaceId }));
  }
  if (spaceId == null) throw badInput(['spaceId'], 'Specify `spaceId` or `changeRequestId`.', 'ONE_OF');
  const { organizationId, revisionId } = await spaceFor(ctx, spaceId, role);
  return { organizationId, spaceId, changeRequestId: null, revisionId };
}

export const discussionOn = ({ id, organizationId, spaceId, revisionId }: ChangeRequestRow): Discussion => ({
  organizationId,
  spaceId,
  changeRequestId: id,
  revisionId,
});

/**
 * Throws NOT_FOUND if a named discussion is missing or hidden. Deletions, which ignore a missing comment, need this
 * check.
 */
export async function rejectHiddenParent(ctx: Context, name: DiscussionName): Promise<void> {
  if (name.spaceId != null || name.changeRequestId != null)
    await discussionFor(ctx, name, permissions.listComments.space);
}

/** Condition that the caller may read the comments in space `s`. A published site gives no access to them. */
export const showsComments = (ctx: Context) =>
  sql<boolean>`s.deleted_at is null and ${conditionsInSql(ctx).space('s', permissions.listComments.space)}`;

export interface CommentName extends DiscussionName {
  commentId: string;
}

export interface ReplyName extends DiscussionName {
  commentReplyId: string;
  commentId?: string | null | undefined;
}

const comments = { from: sql`comment c`, select: commentColumns, row: 'c' };
const replies = { from: sql`comment_reply c`, select: replyColumns, row: 'c' };

const byId = {
  where: (ids: string[]) => sql`c.id = any(${ids}::text[])`,
  keyOf: ({ id }: { id: string }) => id,
};

/** Comments by id, with the caller's access to their spaces. Requests share their statements. */
export const readComments = sharedRowsInSpaces<CommentRow>(comments, byId);

/** The same for replies. */
export const readReplies = sharedRowsInSpaces<ReplyRow>(replies, byId);

/**
 * Loads a comment for a caller with at least `role` on its space. If a space or change request is named, the
 * comment must belong to it. `change` locks the comment and, so that it cannot be transferred, the space.
 */
export async function commentFor(
  ctx: Context,
  { commentId: id, ...discussion }: CommentName,
  role: Role,
  use: 'read' | 'change' = 'read',
): Promise<CommentRow & Loaded> {
  const isShared = !ctx.inTransaction && !isNumbered(discussion);
  const [comment] = isShared
    ? (await readComments(ctx, [id])).filter((row) => isOf(row, discussion))
    : await rowsInSpaces<CommentRow>(ctx, {
        ...comments,
        where: sql`c.id = ${id} and ${isIn(discussion)}`,
        ...LOCKS[use],
      });
  return recordVersion(ctx, authorize(ctx, comment, { what: 'comment', id }, role), LOCKS[use]);
}

/** Like `commentFor`, for a reply. */
export async function replyFor(
  ctx: Context,
  { commentReplyId: id, commentId, ...discussion }: ReplyName,
  role: Role,
  use: 'read' | 'change' = 'read',
): Promise<ReplyRow & Loaded> {
  const ofComment = commentId == null ? sql`` : sql`and c.comment_id = ${commentId}`;
  const isShared = !ctx.inTransaction && !isNumbered(discussion);
  const [reply] = isShared
    ? (await readReplies(ctx, [id])).filter(
        (row) => isOf(row, discussion) && (commentId == null || row.commentId === commentId),
      )
    : await rowsInSpaces<ReplyRow>(ctx, {
        ...replies,
        where: sql`c.id = ${id} ${ofComment} and ${isIn(discussion)}`,
        ...LOCKS[use],
      });
  return recordVersion(ctx, authorize(ctx, reply, { what: 'reply', id }, role), LOCKS[use]);
}

/** Row locks of a comment or reply. */
const LOCKS = { read: {}, change: { lock: 'for no key update', locksSpace: true } } as const;

/** Whether a change request is named by its number, which its comments do not have. */
const isNumbered = ({ changeRequestId }: DiscussionName) => changeRequestId != null && /^\d/.test(changeRequestId);

/** The condition `isIn` on a row, unless `isNumbered`. */
const isOf = (row: CommentRow | ReplyRow, { changeRequestId, spaceId }: DiscussionName): boolean =>
  (spaceId == null || row.spaceId === spaceId) &&
  (changeRequestId != null ? row.changeRequestId === changeRequestId : spaceId == null || row.changeRequestId === null);

function isIn({ spaceId, changeRequestId }: DiscussionName): RawBuilder<boolean> {
  if (changeRequestId != null) {
    return sql<boolean>`exists (
      select from change_request cr where cr.id = c.change_request_id and ${isChangeRequestNamed(changeRequestId, spaceId)})`;
  }
  return spaceId == null ? sql<boolean>`true` : sql<boolean>`c.space_id = ${spaceId} and c.change_request_id is null`;
}
