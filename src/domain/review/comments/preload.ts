import type { Context } from '../../../platform/context/context.ts';
import type { Wants } from '../../../platform/resource/field.ts';
import { accessLoader } from '../../people/access/index.ts';
import { loadUser } from '../../people/users/index.ts';
import type { CommentRow, ReplyRow } from './columns.ts';
import { preloadReactions } from './reactions.ts';

/** Loads what the fields of comments and replies read that are selected: one statement for each kind. */
export async function preloadWritten(
  ctx: Context,
  rows: readonly (CommentRow | ReplyRow)[],
  wants: Wants = () => true,
): Promise<void> {
  const reading: Promise<unknown>[] = [];
  if (wants('postedBy')) {
    const authorIds = rows.flatMap(({ postedBy, author }) => (author ? [] : [postedBy]));
    reading.push(loadUser.loadMany(ctx, authorIds));
  }
  if (wants('reactions')) {
    const ids = rows.map(({ id }) => id);
    reading.push(preloadReactions(ctx, ids, { withUsers: wants('user') }));
  }
  if (wants('permissions')) {
    const spaceIds = rows.map(({ spaceId }) => spaceId);
    reading.push(accessLoader.space.loadMany(ctx, spaceIds));
  }
  await Promise.all(reading);
}
