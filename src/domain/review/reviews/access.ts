import type { Context } from '../../../platform/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { notFound } from '../../../platform/errors.ts';
import { rowLoader } from '../../../platform/loader.ts';
import { changeRequestFor, showsChangeRequests } from '../../content/change-requests/index.ts';
import { permissions } from '../../people/access/index.ts';

export type ReviewRow = Row<'review'>;

/** Reviews by id, batched. Leaves out reviews of change requests that the caller may not read. */
export const loadReview = rowLoader<ReviewRow>('review', (ctx, ids) =>
  ctx.db
    .selectFrom('review as rv')
    .innerJoin('space as s', 's.id', 'rv.spaceId')
    .where('rv.id', '=', anyOf(ids))
    .where(showsChangeRequests(ctx))
    .selectAll('rv')
    .execute(),
);

/** Loads a review the caller may read. Throws NOT_FOUND if `changeRequestId` is given and the review is of another change request. */
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
