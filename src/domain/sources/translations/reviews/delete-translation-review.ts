import { z } from 'zod';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { command, idOf } from '../../../../platform/operation/operation.ts';
import { translationName } from '../access.ts';
import { bothSpacesFor } from './review-access.ts';

export const deleteTranslationReview = command({
  name: 'deleteTranslationReview',
  scope: 'write',
  description: 'Removes a review of an edit in a translation. The page is not changed.',
  input: z.object({
    ...translationName,
    translationReviewId: idOf('translationreview').describe('ID of the review to dismiss.'),
  }),
  async authorize(ctx, { translationId = '', organizationId }) {
    await bothSpacesFor(ctx, { translationId, organizationId: organizationId || null }, { isChanged: true });
  },
  async run(ctx, { translationReviewId, ...name }) {
    const translation = await bothSpacesFor(ctx, name, { isChanged: true });
    const { id: translationId, organizationId, spaceId } = translation;
    const removed = await ctx.db
      .deleteFrom('translation_edit')
      .where('id', '=', translationReviewId)
      .where('translationId', '=', translationId)
      .where('needsReview', '=', true)
      .executeTakeFirst();
    if (removed.numDeletedRows === 0n) return { deletedId: null, translationId: null };
    const ids = { translationId };
    await recordEvent(ctx, { kind: 'translation_review_dismissed', organizationId, spaceId, ids });
    return { deletedId: translationReviewId, translationId };
  },
});
