import { type RawBuilder, sql } from 'kysely';
import type { Level } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { badInput } from '../../../platform/errors.ts';
import { idOf } from '../../../platform/operation.ts';
import { compareVersion } from '../../../platform/version.ts';
import { changeRequestFor, isChangeRequestNamed } from '../../content/change-requests/index.ts';
import { authorize, type Loaded, levelOn, needs, reaches } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { type CommentRow, commentColumns, type ReplyRow, replyColumns } from './columns.ts';

/** How an operation names what is discussed; REST's path of a change request has the space as well. */
export const discussionName = {
  spaceId: idOf('space').nullish().describe('The space; its primary content, unless a change request is given.'),
  changeRequestId: idOf('cr').nullish().describe('The change request: its id or, together with the space, its number.'),
};

/** How an operation names a reply. */
export const replyName = {
  ...discussionName,
  commentId: idOf('comment').nullish().describe('The comment that it must be a reply to.'),
  commentReplyId: idOf('reply'),
};

/** The same of an input that may not be valid, whose ids are empty where they are missing. */
export const discussionOfIds = ({ spaceId, changeRequestId }: Record<string, string>): DiscussionName => ({
  spaceId: spaceId || null,
  changeRequestId: changeRequestId || null,
});

export interface DiscussionName {
  spaceId?: string | null | undefined;
  changeRequestId?: string | null | undefined;
}

/** Where comments are: the primary content of a space, or one of its change requests. */
export interface Discussion {
  organizationId: string;
  spaceId: string;
  changeRequestId: string | null;
  /** What the content is at. */
  revisionId: string;
}

/** The discussion, if the caller's level on the space reaches what is wanted: 404 and 403 as the space has them. */
export async function discussionFor(
  ctx: Context,
  { spaceId, changeRequestId }: DiscussionName,
  wanted: Level,
): Promise<Discussion> {
  if (changeRequestId != null) {
    const found = await changeRequestFor(ctx, changeRequestId, wanted, { spaceId });
    return discussionOf(found, found.space_id, found.id);
  }
  if (spaceId == null) throw badInput(['spaceId'], 'Give a space or a change request.');
  return discussionOf(await spaceFor(ctx, spaceId, wanted), spaceId, null);
}

const discussionOf = (
  { organization_id, revision_id }: Pick<Row<'space'>, 'organization_id' | 'revision_id'>,
  spaceId: string,
  changeRequestId: string | null,
): Discussion => ({ organizationId: organization_id, spaceId, changeRequestId, revisionId: revision_id });

/** A child of a discussion that is named and not there for the caller is NOT_FOUND, even for a deletion. */
export async function refuseHiddenParent(ctx: Context, name: DiscussionName): Promise<void> {
  if (name.spaceId != null || name.changeRequestId != null) await discussionFor(ctx, name, needs.listComments.space);
}

/** The space `s` lets the caller read its discussions, which no published site shows. */
export const showsComments = (ctx: Context) =>
  sql<boolean>`s.deleted_at is null and ${reaches(levelOn.space(ctx.actor, 's'), needs.listComments.space)}`;

export interface CommentName extends DiscussionName {
  commentId: string;
}

export interface ReplyName extends DiscussionName {
  commentReplyId: string;
  commentId?: string | null | undefined;
}

/**
 * The comment, if the caller's level on its space reaches what is wanted. Where a space or a change request is named, it
 * must be of that one. For a change it is held, and its space is kept from being transferred (docs/data-model.md, Locks).
 */
export function commentFor(
  ctx: Context,
  { commentId, ...discussion }: CommentName,
  wanted: Level,
  use: 'read' | 'change' = 'read',
): Promise<CommentRow & Loaded> {
  const named = sql<boolean>`c.id = ${commentId} and ${isIn(discussion)}`;
  return find<CommentRow>(ctx, { from: sql`comment c`, columns: commentColumns, named }, use).then((found) =>
    compareVersion(ctx, authorize(ctx, found, { what: 'comment', id: commentId }, wanted), { lock: LOCKS[use] }),
  );
}

/** The same for a reply. */
export function replyFor(
  ctx: Context,
  { commentReplyId, commentId, ...discussion }: ReplyName,
  wanted: Level,
  use: 'read' | 'change' = 'read',
): Promise<ReplyRow & Loaded> {
  const ofComment = commentId == null ? sql`` : sql`and c.comment_id = ${commentId}`;
  const named = sql<boolean>`c.id = ${commentReplyId} ${ofComment} and ${isIn(discussion)}`;
  return find<ReplyRow>(ctx, { from: sql`comment_reply c`, columns: replyColumns, named }, use).then((found) =>
    compareVersion(ctx, authorize(ctx, found, { what: 'reply', id: commentReplyId }, wanted), { lock: LOCKS[use] }),
  );
}

/** What holds a comment or reply that is loaded for this. */
const LOCKS = { read: undefined, change: 'for no key update' };

interface Wanted {
  from: RawBuilder<unknown>;
  columns: RawBuilder<unknown>;
  named: RawBuilder<boolean>;
}

async function find<Found>(
  ctx: Context,
  { from, columns, named }: Wanted,
  use: 'read' | 'change',
): Promise<(Found & Loaded) | undefined> {
  // Locked first, then read: a statement that waits for a lock reads the row anew, but not what it joins.
  if (use === 'change') {
    await sql`
      select from ${from} join space s on s.id = c.space_id where ${named}
      for no key update of c for key share of s`.execute(ctx.db);
  }
  const { rows } = await sql<Found & Loaded>`
    select ${columns}, ${levelOn.space(ctx.actor, 's')} as level, false as "isShown", o.blocked ->> 'reason' as "blockedReason"
    from ${from} join space s on s.id = c.space_id join organization o on o.id = s.organization_id
    where ${named} and s.deleted_at is null`.execute(ctx.db);
  return rows[0];
}

function isIn({ spaceId, changeRequestId }: DiscussionName): RawBuilder<boolean> {
  if (changeRequestId != null) {
    return sql<boolean>`exists (
      select from change_request cr where cr.id = c.change_request_id and ${isChangeRequestNamed(changeRequestId, spaceId)})`;
  }
  return spaceId == null ? sql<boolean>`true` : sql<boolean>`c.space_id = ${spaceId} and c.change_request_id is null`;
}
