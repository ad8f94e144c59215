import { sql } from 'kysely';
import { z } from 'zod';
import { idOf, query } from '../../../../platform/operation/operation.ts';
import { listing } from '../../../../platform/paging/listing.ts';
import { desc } from '../../../../platform/paging/order.ts';
import { translationName } from '../access.ts';
import { bothSpacesFor, REVIEW, type TranslationReviewRow } from './review-access.ts';

interface ReviewFilters {
  pageId: string | null;
  isRemoved: boolean | null;
}

/** Input fields that select reviews. */
const filterInput = {
  pageId: idOf('page').nullish().describe('ID of a page or reusable content whose reviews to list. Default: all.'),
  isRemoved: z
    .boolean()
    .nullish()
    .describe('Only reviews whose source was removed (`true`), or only those that have a new source (`false`).'),
};

/** The filters of an input. */
export const reviewFilters = ({ pageId = null, isRemoved = null }: Partial<ReviewFilters>): ReviewFilters => ({
  pageId,
  isRemoved,
});

export const reviewsOfTranslation = listing<ReviewFilters, TranslationReviewRow>({
  name: 'translation.reviews',
  from: 'translation_edit as e',
  select: REVIEW,
  parent: 'translationId',
  where: ({ pageId, isRemoved }) => [
    sql`e.needs_review`,
    pageId !== null && sql`e.page_id = ${pageId}`,
    isRemoved !== null && sql`(e.new_source is null) = ${isRemoved}`,
  ],
  order: [desc('updatedAt', 'timestamptz'), desc('id')],
});

export const listTranslationReviews = query({
  name: 'listTranslationReviews',
  description:
    "Lists people's edits in a translation whose source has changed since, newest first. The pages show new translations in their place. Resolve each review by keeping the edit, the new translation, or another text.",
  input: z.object({ ...translationName, ...filterInput }),
  authorize: (ctx, { translationId = '', organizationId }) =>
    bothSpacesFor(ctx, { translationId, organizationId: organizationId || null }),
  async run(ctx, { pageId, isRemoved, ...name }) {
    const { id } = await bothSpacesFor(ctx, name);
    return reviewsOfTranslation(ctx, id, reviewFilters({ pageId, isRemoved }));
  },
});
