import { requireUserId } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context.ts';
import { keptWith } from '../../../platform/kept-with.ts';
import type { MaybePromise } from '../../../platform/loader.ts';
import { loadUser, type VisibleUser } from '../../people/users/index.ts';
import type { CommentRow, ReplyRow } from './columns.ts';

type Written = CommentRow | ReplyRow;

const authors = keptWith<Written, VisibleUser>('author');

/** The author of a comment or reply. Undefined if the account no longer exists. */
export const authorOf = (ctx: Context, row: Written): MaybePromise<VisibleUser | undefined> =>
  authors.get(row) ?? loadUser.now(ctx, row.postedBy);

/**
 * Runs a function that decides on what the caller posts, and reads the caller's account at the same time, so that what is
 * posted can be shown without a further statement: see `writtenBy`.
 */
export const withCaller = <Decided>(ctx: Context, deciding: Promise<Decided>): Promise<[Decided, VisibleUser?]> =>
  Promise.all([deciding, loadUser(ctx, requireUserId(ctx.actor))]);

/** Notes the author of a new comment or reply. */
export function writtenBy<Row extends Written>(author: VisibleUser | undefined, row: Row): Row {
  authors.set(row, author);
  return row;
}
