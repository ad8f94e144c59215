import { userIdOf } from '../../../platform/access/actor.ts';
import { atLeast, type Level } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context.ts';
import { forbidden } from '../../../platform/errors.ts';
import { authorize, blocked, type Loaded, needs, standingOn } from '../../people/access/index.ts';

/** What was written, as far as permissions go. */
interface Written {
  space_id: string;
  posted_by: string;
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
  const { level } = (await standingOn.space(ctx, written.space_id)) ?? { level: null };
  return {
    view: true,
    edit: isAuthor(ctx, written),
    reply: atLeast(level, needs.postCommentReply.space),
    delete: mayDelete(ctx, written, level),
  };
}

/** Refuses all but the author, to whom seeing it is enough. */
export function refuseOthers(ctx: Context, written: Written & Loaded): void {
  if (!isAuthor(ctx, written)) throw forbidden('Only its author can change what it says.');
  if (written.blockedReason) throw blocked(written.blockedReason);
}

/**
 * Refuses who may not edit what was written, whatever the edit says: its text is for the author, who needs only to see it, and
 * everything else for those who may comment.
 */
export function refuseEdit(
  ctx: Context,
  written: Written & Loaded & { id: string },
  { what, changesText }: { what: string; changesText: boolean },
): void {
  if (changesText || isAuthor(ctx, written)) refuseOthers(ctx, written);
  else authorize(ctx, written, { what, id: written.id }, needs.updateComment.space);
}

/** Refuses all but the author and the admins of the space. */
export function refuseDeletion(ctx: Context, written: Written & Loaded): void {
  if (!mayDelete(ctx, written, written.level))
    throw forbidden('Only its author and admins of the space can delete it.');
  if (written.blockedReason) throw blocked(written.blockedReason);
}

const isAuthor = ({ actor }: Context, { posted_by }: Written) => userIdOf(actor) === posted_by;

const mayDelete = (ctx: Context, written: Written, level: Level | null) =>
  isAuthor(ctx, written) || atLeast(level, needs.deleteComment.space);
