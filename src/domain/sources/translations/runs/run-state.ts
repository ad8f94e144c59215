import { type Context, nowOf } from '../../../../platform/context/context.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { transact } from '../../../../platform/operation/transact.ts';
import { cutTo } from '../../../../platform/shapes/cut-text.ts';
import type { TranslationRow } from '../access.ts';

const MAX_ERROR = 1_000;

/** The translated space was changed while the run computed its content, which must be computed again. */
export class HeadMoved extends Error {
  override name = 'HeadMoved';
}

/** A run cannot be completed, and no other attempt could. */
export class RunFailed extends Error {
  override name = 'RunFailed';
}

/** Ends a run without a result: the translation has its former status again. Nothing happens if the run has ended. */
export const failTranslationRun = (
  ctx: Context,
  { id, organizationId, spaceId, runNumber }: Pick<TranslationRow, 'id' | 'organizationId' | 'spaceId' | 'runNumber'>,
  reason: string,
): Promise<void> =>
  transact(ctx, async (inside) => {
    const failed = await inside.db
      .updateTable('translation')
      .set((row) => ({
        status: row.ref('formerStatus'),
        lastError: cutTo(MAX_ERROR, reason),
        updatedAt: nowOf(inside),
      }))
      .where('id', '=', id)
      .where('runNumber', '=', runNumber)
      .where((row) => row.or([row('status', '=', 'running'), row('status', '=', 'pending')]))
      .executeTakeFirst();
    if (failed.numUpdatedRows !== 1n) return;
    await recordEvent(inside, { kind: 'translation_run_failed', organizationId, spaceId, ids: { translationId: id } });
  });
