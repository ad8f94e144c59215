import { z } from 'zod';
import { nowOf } from '../../../platform/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation.ts';
import { translationFor } from './access.ts';
import { translationName } from './input.ts';
import { startRuns } from './start-runs.ts';

export const purgeTranslationMemory = command({
  name: 'purgeTranslationMemory',
  description:
    'Deletes all entries that were imported to the memory of a translation, and starts a run: the provider translates their segments again. ' +
    'Answers of the provider and edits of people stay. Succeeds without a run if there are no entries.',
  input: z.object(translationName),
  takesLong: true,
  async authorize(ctx, { translationId = '', organizationId }) {
    await translationFor(ctx, { translationId, organizationId: organizationId || null }, { isChanged: true });
  },
  async run(ctx, name) {
    const { id, organizationId, spaceId } = await translationFor(ctx, name, { isChanged: true });
    const deleted = await ctx.db
      .deleteFrom('translation_memory')
      .where('organizationId', '=', organizationId)
      .where('translationId', '=', id)
      .executeTakeFirst();
    const deletedCount = Number(deleted.numDeletedRows);
    if (deletedCount > 0) {
      // The count goes up, never back: pages that were translated with the entries are computed again.
      await ctx.db
        .updateTable('translation')
        .set((row) => ({ imports: row('imports', '+', 1), updatedAt: nowOf(ctx) }))
        .where('id', '=', id)
        .execute();
      await startRuns(ctx, [id], { isRestarted: true });
      await recordEvent(ctx, {
        kind: 'translation_memory_purged',
        organizationId,
        spaceId,
        ids: { translationId: id },
      });
    }
    return { translation: await translationFor(ctx, name), deletedCount };
  },
});
