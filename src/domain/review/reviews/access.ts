import { sql } from 'kysely';
import type { Context } from '../../../platform/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { notFound } from '../../../platform/errors.ts';
import { rowLoader } from '../../../platform/loader.ts';
import { changeRequestFor, showsChangeRequests } from '../../content/change-requests/index.ts';
import { needs } from '../../people/access/index.ts';

export type ReviewRow = Row<'review'>;

/** Reviews by id, batched; those of change requests that the caller may not read are as good as absent. */
export const loadReview = rowLoader<ReviewRow>('review', async (ctx, ids) => {
  const { rows } = await sql<ReviewRow>`
    select rv.* from review rv join space s on s.id = rv.space_id
    where rv.id = any(${ids}::text[]) and ${showsChangeRequests(ctx)}`.execute(ctx.db);
  return rows;
});

/** A review of a change request, which is given by REST's path: 404 where it is one of another. */
export async function reviewFor(
  ctx: Context,
  { reviewId, changeRequestId, spaceId }: { reviewId: string; changeRequestId?: string; spaceId?: string },
): Promise<ReviewRow> {
  const changeRequest =
    changeRequestId === undefined
      ? undefined
      : await changeRequestFor(ctx, changeRequestId, needs.getReview.space, { spaceId });
  const review = await loadReview(ctx, reviewId);
  if (!review || (changeRequest && review.changeRequestId !== changeRequest.id)) throw notFound('review', reviewId);
  return review;
}
