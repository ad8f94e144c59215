import { z } from 'zod';
import { defineJob } from '../../../platform/jobs/job.ts';
import { failRun } from './fail-run.ts';

/** How long an import run can be queued before it counts as lost. */
const LOST_MS = 24 * 60 * 60 * 1000;
/** How long a running import run can go without a progress update, which usually comes every second. */
const SILENT_MS = 2 * 60 * 60 * 1000;
const BATCH = 100;

/** Marks import runs as failed whose job was killed at every attempt. */
export const endLostImportRuns = defineJob(
  'end-lost-import-runs',
  z.object({}),
  async (ctx, _data, { signal }) => {
    const now = ctx.services.clock().getTime();
    const before = (milliseconds: number) => new Date(now - milliseconds).toISOString();
    const lost = await ctx.db
      .selectFrom('import_run')
      .where((run) =>
        run.or([
          run.and([run('status', '=', 'in-progress'), run('updatedAt', '<', before(SILENT_MS))]),
          run.and([run('status', '=', 'pending'), run('updatedAt', '<', before(LOST_MS))]),
        ]),
      )
      .orderBy('updatedAt')
      .limit(BATCH)
      .select(['id', 'organizationId', 'spaceId'])
      .execute();
    for (const run of lost) {
      signal.throwIfAborted();
      await failRun(ctx, run, 'The import run was interrupted several times.');
    }
  },
  { cron: '*/15 * * * *' },
);
