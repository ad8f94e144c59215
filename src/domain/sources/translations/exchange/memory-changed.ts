import { type Context, nowOf } from '../../../../platform/context/context.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import type { TranslationRow } from '../access.ts';
import { startRuns } from '../runs/start-runs.ts';

/**
 * Counts a change of the imported memory of a translation, starts a run and records the event. The count goes up, never
 * back, so that pages that were translated with other entries are computed again.
 */
export async function memoryChanged(
  ctx: Context,
  { id, organizationId, spaceId }: TranslationRow,
  { kind }: { kind: 'translation_memory_imported' | 'translation_memory_purged' },
): Promise<void> {
  await ctx.db
    .updateTable('translation')
    .set((row) => ({ imports: row('imports', '+', 1), updatedAt: nowOf(ctx) }))
    .where('id', '=', id)
    .execute();
  await startRuns(ctx, [id], { isRestarted: true });
  await recordEvent(ctx, { kind, organizationId, spaceId, ids: { translationId: id } });
}
