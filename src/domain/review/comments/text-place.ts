import type { Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { TextPlace } from '../../content/addresses/index.ts';
import { loadRevision } from '../../content/revisions/index.ts';
import { permissions } from '../../people/access/index.ts';
import {
  type CommentName,
  commentFor,
  type Discussion,
  type DiscussionName,
  discussionFor,
  type ReplyName,
  replyFor,
} from './access.ts';
import type { CommentRow } from './columns.ts';

/** Finds the content and page that links in a comment are resolved against. */
export type FindPlace = () => Promise<TextPlace | undefined>;

/** For a new comment. */
export const placeInDiscussion =
  (ctx: Context, name: DiscussionName, role: Role, pageId: string | null | undefined): FindPlace =>
  async () =>
    placeIn(ctx, await discussionFor(ctx, name, role), pageId);

/** For a comment and its replies. */
export const placeOfComment =
  (ctx: Context, name: CommentName, role: Role): FindPlace =>
  async () =>
    placeBeside(ctx, await commentFor(ctx, name, role));

export const placeOfReply =
  (ctx: Context, name: ReplyName, role: Role): FindPlace =>
  async () => {
    const { commentId } = await replyFor(ctx, name, role);
    return placeBeside(ctx, await commentFor(ctx, { commentId }, role));
  };

async function placeBeside(
  ctx: Context,
  { spaceId, changeRequestId, pageId }: CommentRow,
): Promise<TextPlace | undefined> {
  return placeIn(ctx, await discussionFor(ctx, { spaceId, changeRequestId }, permissions.listComments.space), pageId);
}

async function placeIn(
  ctx: Context,
  { revisionId }: Discussion,
  pageId: string | null | undefined,
): Promise<TextPlace | undefined> {
  const revision = await loadRevision(ctx, revisionId);
  return revision && { revision, ...(pageId != null && { page: { id: pageId } }) };
}
