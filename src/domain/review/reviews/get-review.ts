import { z } from 'zod';
import { idOf, query } from '../../../platform/operation/operation.ts';
import { changeRequestName } from '../../content/change-requests/index.ts';
import { reviewFor } from './access.ts';

const { changeRequestId, spaceId } = changeRequestName;

export const getReview = query({
  name: 'getReview',
  description: 'Gets a review by its ID.',
  input: z.object({
    reviewId: idOf('review'),
    changeRequestId: changeRequestId.nullish().describe('ID of the change request that the review must belong to.'),
    spaceId,
  }),
  authorize: (ctx, ids) => reviewFor(ctx, named(ids)),
  run: (ctx, input) => reviewFor(ctx, named(input)),
});

/** Leaves out ids that are empty or null. */
const named = (ids: Partial<Record<'reviewId' | 'changeRequestId' | 'spaceId', string | null>>) => ({
  reviewId: ids.reviewId ?? '',
  ...(ids.changeRequestId && { changeRequestId: ids.changeRequestId }),
  ...(ids.spaceId && { spaceId: ids.spaceId }),
});
