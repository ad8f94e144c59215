import type { Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { LinkBase } from '../../content/addresses/index.ts';
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
export type FindLinkBase = () => Promise<LinkBase | undefined>;

/** For a new comment. */
export const linkBaseInDiscussion =
  (ctx: Context, name: DiscussionName, role: Role, pageId: string | null | undefined): FindLinkBase =>
  async () =>
    linkBaseIn(ctx, await discussionFor(ctx, name, role), pageId);

/** For a comment and its replies. */
export const linkBaseOfComment =
  (ctx: Context, name: CommentName, role: Role): FindLinkBase =>
  async () =>
    linkBaseBeside(ctx, await commentFor(ctx, name, role));

export const linkBaseOfReply =
  (ctx: Context, name: ReplyName, role: Role): FindLinkBase =>
  async () => {
    const { commentId } = await replyFor(ctx, name, role);
    return linkBaseBeside(ctx, await commentFor(ctx, { commentId }, role));
  };

async function linkBaseBeside(
  ctx: Context,
  { spaceId, changeRequestId, pageId }: CommentRow,
): Promise<LinkBase | undefined> {
  return linkBaseIn(
    ctx,
    await discussionFor(ctx, { spaceId, changeRequestId }, permissions.listComments.space),
    pageId,
  );
}

async function linkBaseIn(
  ctx: Context,
  { revisionId }: Discussion,
  pageId: string | null | undefined,
): Promise<LinkBase | undefined> {
  const revision = await loadRevision(ctx, revisionId);
  return revision && { revision, ...(pageId != null && { page: { id: pageId } }) };
}
