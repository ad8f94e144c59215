import { z } from 'zod';
import { idOf, query } from '../../../platform/operation.ts';
import { changeRequestName } from '../../content/change-requests/index.ts';
import { reviewFor } from './access.ts';

const { changeRequestId, spaceId } = changeRequestName;

export const getReview = query({
  name: 'getReview',
  description: 'A review by id.',
  input: z.object({
    reviewId: idOf('review'),
    changeRequestId: changeRequestId.nullish().describe('The change request that it must be of.'),
    spaceId,
  }),
  authorize: (ctx, ids) => reviewFor(ctx, named(ids)),
  run: (ctx, input) => reviewFor(ctx, named(input)),
});

/** What is empty or null was not given. */
const named = (given: Partial<Record<'reviewId' | 'changeRequestId' | 'spaceId', string | null>>) => ({
  reviewId: given.reviewId ?? '',
  ...(given.changeRequestId && { changeRequestId: given.changeRequestId }),
  ...(given.spaceId && { spaceId: given.spaceId }),
});
