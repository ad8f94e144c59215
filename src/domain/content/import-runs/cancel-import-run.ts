import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { lockEntity } from '../../../platform/database/lock-entity.ts';
import { badInput, notFound } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { type ImportRunRow, importRunFor } from './access.ts';
import { RUN_COLUMNS } from './columns.ts';
import { ImportRun } from './entity.ts';
import { importRunName } from './get-import-run.ts';

const needed = permissions.cancelImportRun.space;

export const cancelImportRun = command({
  name: 'cancelImportRun',
  scope: ['propose', 'write'],
  description:
    'Cancels a pending or running import run. Nothing is written. Cancelling a cancelled import run has no effect. ' +
    'BAD_USER_INPUT if the import run is completed or failed.',
  input: z.object(importRunName),
  authorize: (ctx, { importRunId = '', organizationId }) =>
    importRunFor(ctx, { importRunId, organizationId: organizationId || null }, needed),
  async run(ctx, name): Promise<ImportRunRow> {
    const { id } = await importRunFor(ctx, name, needed);
    const run = await lockEntity(ctx, ImportRun, { id }, RUN_COLUMNS);
    if (!run) throw notFound('import run', id);
    if (run.status === 'cancelled') return run;
    if (run.status !== 'pending' && run.status !== 'in-progress')
      throw badInput(['importRunId'], `The import run is ${run.status} and can no longer be cancelled.`);
    const now = nowOf(ctx);
    ctx.em.assign(run, { status: 'cancelled', updatedAt: now, completedAt: now });
    await ctx.em.flush();
    const { organizationId, spaceId } = run;
    await recordEvent(ctx, { kind: 'import_run_cancelled', organizationId, spaceId, ids: { importRunId: id } });
    return run;
  },
});
