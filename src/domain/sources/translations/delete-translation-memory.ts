import { z } from 'zod';
import { nowOf } from '../../../platform/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation.ts';
import { deletableTranslation, translationFor } from './access.ts';
import { translationName } from './input.ts';
import { startRuns } from './start-runs.ts';

export const deleteTranslationMemory = command({
  name: 'deleteTranslationMemory',
  description:
    'Deletes all entries that were imported to the memory of a translation, and starts a run: the provider translates their segments again. ' +
    'Answers of the provider and edits of people stay. Succeeds without a run if there are no entries, or no translation.',
  input: z.object(translationName),
  takesLong: true,
  async authorize(ctx, { translationId = '', organizationId }) {
    await deletableTranslation(ctx, { translationId, organizationId: organizationId || null });
  },
  async run(ctx, name) {
    const found = await deletableTranslation(ctx, name);
    if (!found) return { translation: null, deletedCount: 0 };
    const { id, organizationId, spaceId } = found;
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
        kind: 'translation_memory_deleted',
        organizationId,
        spaceId,
        ids: { translationId: id },
      });
    }
    return { translation: await translationFor(ctx, name), deletedCount };
  },
});
