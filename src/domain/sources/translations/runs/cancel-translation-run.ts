import { z } from 'zod';
import { nowOf } from '../../../../platform/context/context.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { command } from '../../../../platform/operation/operation.ts';
import { type TranslationRow, translationFor, translationForChange, translationName } from '../access.ts';

export const cancelTranslationRun = command({
  name: 'cancelTranslationRun',
  scope: 'write',
  description:
    'Cancels the queued or running run of a translation. Nothing is written, and the translation returns to its former status. Segments that were already translated are kept for the next run. Has no effect if no run is queued or in progress.',
  input: z.object(translationName),
  async authorize(ctx, { translationId = '', organizationId }) {
    await translationFor(ctx, { translationId, organizationId: organizationId || null }, { isChanged: true });
  },
  async run(ctx, name): Promise<{ translation: TranslationRow }> {
    const translation = await translationForChange(ctx, name);
    const { id, status, formerStatus, runNumber, organizationId, spaceId } = translation;
    if (status !== 'running' && status !== 'pending') return { translation };
    // The job of a queued first run finds another number.
    ctx.em.assign(translation, { status: formerStatus, runNumber: runNumber + 1, updatedAt: nowOf(ctx) });
    await ctx.em.flush();
    const ids = { translationId: id };
    await recordEvent(ctx, { kind: 'translation_run_cancelled', organizationId, spaceId, ids });
    return { translation };
  },
});
