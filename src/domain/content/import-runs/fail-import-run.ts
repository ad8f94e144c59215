import { type Context, nowOf } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { transact } from '../../../platform/operation/transact.ts';
import { cutTo } from '../../../platform/shapes/cut-text.ts';
import type { ImportRunRow } from './access.ts';

const MAX_REASON = 1_000;

/** Marks a pending or running import run as failed. An import run in another state stays as it is. */
export const failImportRun = (
  ctx: Context,
  { id, organizationId, spaceId }: Pick<ImportRunRow, 'id' | 'organizationId' | 'spaceId'>,
  reason: string,
): Promise<void> =>
  transact(ctx, async (inside) => {
    const now = nowOf(inside);
    const failed = await inside.db
      .updateTable('import_run')
      .set({ status: 'failed', reason: cutTo(MAX_REASON, reason), updatedAt: now, completedAt: now })
      .where('id', '=', id)
      .where('status', 'in', ['pending', 'in-progress'])
      .executeTakeFirst();
    if (failed.numUpdatedRows !== 1n) return;
    await recordEvent(inside, { kind: 'import_run_failed', organizationId, spaceId, ids: { importRunId: id } });
  });
