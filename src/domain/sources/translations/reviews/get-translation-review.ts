import { z } from 'zod';
import { idOf, query } from '../../../../platform/operation/operation.ts';
import { translationName } from '../access.ts';
import { bothSpacesFor, translationReviewFor } from './review-access.ts';

export const getTranslationReview = query({
  name: 'getTranslationReview',
  description: 'Gets a review of an edit in a translation.',
  input: z.object({
    ...translationName,
    translationReviewId: idOf('translationreview').describe('ID of the review.'),
  }),
  authorize: (ctx, { translationId = '', organizationId }) =>
    bothSpacesFor(ctx, { translationId, organizationId: organizationId || null }),
  async run(ctx, { translationReviewId, ...name }) {
    const { id } = await bothSpacesFor(ctx, name);
    return translationReviewFor(ctx, id, translationReviewId);
  },
});
