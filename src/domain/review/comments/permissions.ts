import { requireScope, userIdOf } from '../../../platform/access/actor.ts';
import { atLeast, type Role } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import { forbidden } from '../../../platform/errors/errors.ts';
import { andThen, type MaybePromise } from '../../../platform/reads/loader.ts';
import {
  accessLoader,
  authorize,
  type Loaded,
  organizationBlockedError,
  permissions,
} from '../../people/access/index.ts';

/** The columns of a comment or reply that permissions depend on. */
interface CommentOrReply {
  spaceId: string;
  postedBy: string;
}

/** What the caller can do with a comment or reply that they can read. */
export interface CommentPermissions {
  view: boolean;
  edit: boolean;
  reply: boolean;
  delete: boolean;
}

/** Batched. Without a promise if the access to the space is known. */
export const commentPermissions = (ctx: Context, row: CommentOrReply): MaybePromise<CommentPermissions> =>
  andThen(accessLoader.space.peek(ctx, row.spaceId), (access) => {
    const role = access?.role ?? null;
    return {
      view: true,
      edit: isAuthor(ctx, row),
      reply: atLeast(role, permissions.postCommentReply.space),
      delete: mayDelete(ctx, row, role),
    };
  });

/** Rejects everyone but the author, who needs no further role. */
function rejectOthers(ctx: Context, row: CommentOrReply & Loaded): void {
  if (!isAuthor(ctx, row)) throw forbidden('Only the author can edit the body.');
  if (row.blockedReason) throw organizationBlockedError(row.blockedReason);
}

/**
 * Rejects callers who may not make this edit. The body can be edited by the author; everything else by everyone who can
 * comment.
 */
export function rejectEdit(
  ctx: Context,
  row: CommentOrReply & Loaded & { id: string },
  { what, changesText }: { what: string; changesText: boolean },
): void {
  if (changesText || isAuthor(ctx, row)) rejectOthers(ctx, row);
  else authorize(ctx, row, { what, id: row.id }, permissions.updateComment.space);
}

/** Rejects everyone but the author and administrators of the space. */
export function rejectDeletion(ctx: Context, row: CommentOrReply & Loaded): void {
  if (!mayDelete(ctx, row, row.role)) throw forbidden('Only the author and admins of the space can delete it.');
  if (!isAuthor(ctx, row)) requireScope(ctx.actor, 'admin');
  if (row.blockedReason) throw organizationBlockedError(row.blockedReason);
}

const isAuthor = ({ actor }: Context, { postedBy }: CommentOrReply) => userIdOf(actor) === postedBy;

const mayDelete = (ctx: Context, row: CommentOrReply, role: Role | null) =>
  isAuthor(ctx, row) || atLeast(role, permissions.deleteComment.space);
