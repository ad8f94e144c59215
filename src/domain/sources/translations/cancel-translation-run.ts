import { z } from 'zod';
import { nowOf } from '../../../platform/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation.ts';
import { type TranslationRow, translationFor } from './access.ts';
import { translationName } from './input.ts';

export const cancelTranslationRun = command({
  name: 'cancelTranslationRun',
  description:
    'Cancels the queued or running run of a translation. Nothing is written, and the translation returns to its former status. Segments that were already translated are kept for the next run. Has no effect if no run is queued or in progress.',
  input: z.object(translationName),
  async authorize(ctx, { translationId = '', organizationId }) {
    await translationFor(ctx, { translationId, organizationId: organizationId || null }, { isChanged: true });
  },
  async run(ctx, name): Promise<{ translation: TranslationRow }> {
    const { id, organizationId, spaceId } = await translationFor(ctx, name, { isChanged: true });
    const cancelled = await ctx.db
      .updateTable('translation')
      .set((row) => ({
        status: row.ref('formerStatus'),
        // The job of a queued first run finds another number.
        runNumber: row('runNumber', '+', 1),
        updatedAt: nowOf(ctx),
      }))
      .where('id', '=', id)
      .where((row) => row.or([row('status', '=', 'running'), row('status', '=', 'pending')]))
      .executeTakeFirst();
    if (cancelled.numUpdatedRows === 1n) {
      const ids = { translationId: id };
      await recordEvent(ctx, { kind: 'translation_run_cancelled', organizationId, spaceId, ids });
    }
    return { translation: await translationFor(ctx, name) };
  },
});
