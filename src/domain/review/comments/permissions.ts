import { userIdOf } from '../../../platform/access/actor.ts';
import { atLeast, type Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import { forbidden } from '../../../platform/errors.ts';
import { accessOn, authorize, blocked, type Loaded, permissions } from '../../people/access/index.ts';

/** What was written, as far as permissions go. */
interface Written {
  spaceId: string;
  postedBy: string;
}

/** What the caller may do with a comment or reply that they see (docs/decisions.md, Comments). */
export interface CommentPermissions {
  view: boolean;
  edit: boolean;
  reply: boolean;
  delete: boolean;
}

/** Batched. */
export async function commentPermissions(ctx: Context, written: Written): Promise<CommentPermissions> {
  const { role } = (await accessOn.space(ctx, written.spaceId)) ?? { role: null };
  return {
    view: true,
    edit: isAuthor(ctx, written),
    reply: atLeast(role, permissions.postCommentReply.space),
    delete: mayDelete(ctx, written, role),
  };
}

/** Refuses all but the author, to whom seeing it is enough. */
export function rejectOthers(ctx: Context, written: Written & Loaded): void {
  if (!isAuthor(ctx, written)) throw forbidden('Only its author can change what it says.');
  if (written.blockedReason) throw blocked(written.blockedReason);
}

/**
 * Refuses who may not edit what was written, whatever the edit says: its text is for the author, who needs only to see it, and
 * everything else for those who may comment.
 */
export function rejectEdit(
  ctx: Context,
  written: Written & Loaded & { id: string },
  { what, changesText }: { what: string; changesText: boolean },
): void {
  if (changesText || isAuthor(ctx, written)) rejectOthers(ctx, written);
  else authorize(ctx, written, { what, id: written.id }, permissions.updateComment.space);
}

/** Refuses all but the author and the admins of the space. */
export function rejectDeletion(ctx: Context, written: Written & Loaded): void {
  if (!mayDelete(ctx, written, written.role)) throw forbidden('Only its author and admins of the space can delete it.');
  if (written.blockedReason) throw blocked(written.blockedReason);
}

const isAuthor = ({ actor }: Context, { postedBy }: Written) => userIdOf(actor) === postedBy;

const mayDelete = (ctx: Context, written: Written, role: Role | null) =>
  isAuthor(ctx, written) || atLeast(role, permissions.deleteComment.space);
