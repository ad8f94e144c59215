import { z } from 'zod';
import { nowOf } from '../../../platform/context.ts';
import { badInput } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { type ImportRunRow, importRunFor } from './access.ts';
import { RUN_COLUMNS } from './columns.ts';
import { importRunName } from './get-import-run.ts';

const needed = permissions.cancelImportRun.space;

export const cancelImportRun = command({
  name: 'cancelImportRun',
  description:
    'Cancels a pending or running import run. Nothing is written. Cancelling a cancelled import run has no effect. ' +
    'BAD_USER_INPUT if the import run is completed or failed.',
  input: z.object(importRunName),
  authorize: (ctx, { importRunId = '', organizationId }) =>
    importRunFor(ctx, { importRunId, organizationId: organizationId || null }, needed),
  async run(ctx, name): Promise<ImportRunRow> {
    const { id } = await importRunFor(ctx, name, needed);
    const now = nowOf(ctx);
    const cancelled = await ctx.db
      .updateTable('import_run')
      .set({ status: 'cancelled', updatedAt: now, completedAt: now })
      .where('id', '=', id)
      .where('status', 'in', ['pending', 'in-progress'])
      .returning(RUN_COLUMNS)
      .executeTakeFirst();
    if (!cancelled) return ended(await importRunFor(ctx, name, needed));
    const { organizationId, spaceId } = cancelled;
    await recordEvent(ctx, { kind: 'import_run_cancelled', organizationId, spaceId, ids: { importRunId: id } });
    return cancelled;
  },
});

function ended(run: ImportRunRow): ImportRunRow {
  if (run.status === 'cancelled') return run;
  throw badInput(['importRunId'], `The import run is ${run.status} and can no longer be cancelled.`);
}
