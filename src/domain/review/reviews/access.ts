import { sql } from 'kysely';
import { atLeast } from '../../../platform/access/roles.ts';
import type { Context } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { rowLoader } from '../../../platform/reads/loader.ts';
import { changeRequestFor } from '../../content/change-requests/index.ts';
import { permissions, sharedRowsInSpaces } from '../../people/access/index.ts';

export type ReviewRow = Row<'review'>;

const readReviews = sharedRowsInSpaces<ReviewRow>(
  { select: sql`rv.*`, from: sql`review rv`, row: 'rv' },
  { where: (ids) => sql`rv.id = any(${ids}::text[])`, keyOf: ({ id }) => id },
);

/** Reviews by id, batched. Leaves out reviews of change requests that the caller may not read. */
export const loadReview = rowLoader<ReviewRow>('review', async (ctx, ids) => {
  const rows = await readReviews(ctx, ids);
  return rows.filter(({ role }) => atLeast(role, permissions.getReview.space));
});

/**
 * Loads a review the caller may read. Throws NOT_FOUND if `changeRequestId` is given and the review is of another
 * change request.
 */
export async function reviewFor(
  ctx: Context,
  { reviewId, changeRequestId, spaceId }: { reviewId: string; changeRequestId?: string; spaceId?: string },
): Promise<ReviewRow> {
  const changeRequest =
    changeRequestId === undefined
      ? undefined
      : await changeRequestFor(ctx, changeRequestId, permissions.getReview.space, { spaceId });
  const review = await loadReview(ctx, reviewId);
  if (!review || (changeRequest && review.changeRequestId !== changeRequest.id)) throw notFound('review', reviewId);
  return review;
}
