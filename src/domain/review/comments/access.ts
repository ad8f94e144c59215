import { type RawBuilder, sql } from 'kysely';
import type { Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { badInput } from '../../../platform/errors.ts';
import { idOf } from '../../../platform/operation.ts';
import { compareVersion } from '../../../platform/version.ts';
import { changeRequestFor, isChangeRequestNamed } from '../../content/change-requests/index.ts';
import {
  type AccessSeen,
  authorize,
  conditionsByWalk,
  type Loaded,
  permissions,
  rowsInSpaces,
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
export interface Discussion extends AccessSeen {
  spaceId: string;
  changeRequestId: string | null;
  /** Current revision of the content. */
  revisionId: string;
}

/** Loads a discussion for a caller with at least the role `wanted` on the space. Throws the errors of `spaceFor` and `changeRequestFor`. */
export async function discussionFor(
  ctx: Context,
  { spaceId, changeRequestId }: DiscussionName,
  wanted: Role,
): Promise<Discussion> {
  if (changeRequestId != null) {
    const found = await changeRequestFor(ctx, changeRequestId, wanted, { spaceId });
    return discussionOf(found, found.spaceId, found.id);
  }
  if (spaceId == null) throw badInput(['spaceId'], 'Specify `spaceId` or `changeRequestId`.');
  return discussionOf(await spaceFor(ctx, spaceId, wanted), spaceId, null);
}

const discussionOf = (
  { organizationId, accessVersion, revisionId }: AccessSeen & Pick<Row<'space'>, 'revisionId'>,
  spaceId: string,
  changeRequestId: string | null,
): Discussion => ({ organizationId, accessVersion, spaceId, changeRequestId, revisionId });

/** Throws NOT_FOUND if a named discussion is missing or hidden. Deletions, which ignore a missing comment, need this check. */
export async function rejectHiddenParent(ctx: Context, name: DiscussionName): Promise<void> {
  if (name.spaceId != null || name.changeRequestId != null)
    await discussionFor(ctx, name, permissions.listComments.space);
}

/** Condition that the caller may read the comments in space `s`. A published site gives no access to them. */
export const showsComments = (ctx: Context) =>
  sql<boolean>`s.deleted_at is null and ${conditionsByWalk(ctx).space('s', permissions.listComments.space)}`;

export interface CommentName extends DiscussionName {
  commentId: string;
}

export interface ReplyName extends DiscussionName {
  commentReplyId: string;
  commentId?: string | null | undefined;
}

/**
 * Loads a comment for a caller with at least the role `wanted` on its space. If a space or change request is named, the
 * comment must belong to it. `change` locks the comment and, so that it cannot be transferred, the space.
 */
export function commentFor(
  ctx: Context,
  { commentId, ...discussion }: CommentName,
  wanted: Role,
  use: 'read' | 'change' = 'read',
): Promise<CommentRow & Loaded> {
  const named = sql<boolean>`c.id = ${commentId} and ${isIn(discussion)}`;
  return find<CommentRow>(ctx, { from: sql`comment c`, columns: commentColumns, named }, use).then((found) =>
    compareVersion(ctx, authorize(ctx, found, { what: 'comment', id: commentId }, wanted), { lock: LOCKS[use] }),
  );
}

/** Like `commentFor`, for a reply. */
export function replyFor(
  ctx: Context,
  { commentReplyId, commentId, ...discussion }: ReplyName,
  wanted: Role,
  use: 'read' | 'change' = 'read',
): Promise<ReplyRow & Loaded> {
  const ofComment = commentId == null ? sql`` : sql`and c.comment_id = ${commentId}`;
  const named = sql<boolean>`c.id = ${commentReplyId} ${ofComment} and ${isIn(discussion)}`;
  return find<ReplyRow>(ctx, { from: sql`comment_reply c`, columns: replyColumns, named }, use).then((found) =>
    compareVersion(ctx, authorize(ctx, found, { what: 'reply', id: commentReplyId }, wanted), { lock: LOCKS[use] }),
  );
}

/** Row locks of a comment or reply. */
const LOCKS = { read: undefined, change: 'for no key update' } as const;

interface Wanted {
  from: RawBuilder<unknown>;
  columns: RawBuilder<unknown>;
  named: RawBuilder<boolean>;
}

async function find<Found extends object>(
  ctx: Context,
  { from, columns, named }: Wanted,
  use: 'read' | 'change',
): Promise<(Found & Loaded) | undefined> {
  const holding = use === 'change' ? { lock: LOCKS.change, holdsSpace: true as const } : {};
  const [found] = await rowsInSpaces<Found>(ctx, { select: columns, from, row: 'c', where: named, ...holding });
  return found;
}

function isIn({ spaceId, changeRequestId }: DiscussionName): RawBuilder<boolean> {
  if (changeRequestId != null) {
    return sql<boolean>`exists (
      select from change_request cr where cr.id = c.change_request_id and ${isChangeRequestNamed(changeRequestId, spaceId)})`;
  }
  return spaceId == null ? sql<boolean>`true` : sql<boolean>`c.space_id = ${spaceId} and c.change_request_id is null`;
}
