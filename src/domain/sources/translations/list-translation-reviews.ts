import { sql } from 'kysely';
import { z } from 'zod';
import { query } from '../../../platform/operation.ts';
import { listing } from '../../../platform/paging/listing.ts';
import { translationName } from './input.ts';
import { bothSpacesFor, REVIEW, type ReviewRow } from './review-access.ts';

export const reviewsOfTranslation = listing<object, ReviewRow>({
  name: 'translation.reviews',
  select: REVIEW,
  from: (translationId) => sql`from translation_edit e where e.translation_id = ${translationId} and e.needs_review`,
  order: () => [
    { by: sql`e.updated_at`, key: 'updatedAt', direction: 'desc', type: 'timestamptz' },
    { by: sql`e.id`, key: 'id', direction: 'desc', type: 'text' },
  ],
});

export const listTranslationReviews = query({
  name: 'listTranslationReviews',
  description:
    'Lists the edits of people in a translation whose source has changed since, newest first. The pages have new translations in their ' +
    'place: compare them, edit the pages in a change request where needed, and dismiss the reviews.',
  input: z.object(translationName),
  authorize: (ctx, { translationId = '', organizationId }) =>
    bothSpacesFor(ctx, { translationId, organizationId: organizationId || null }),
  async run(ctx, name) {
    const { id } = await bothSpacesFor(ctx, name);
    return reviewsOfTranslation(ctx, id, {});
  },
});
