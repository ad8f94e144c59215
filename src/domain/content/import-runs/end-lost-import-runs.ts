import { z } from 'zod';
import { defineJob } from '../../../platform/jobs/job.ts';
import { isWithoutJob, LOST_AT_ONCE } from '../../../platform/jobs/lost-runs.ts';
import { failImportRun } from './fail-import-run.ts';
import { runImport } from './run-import.ts';

/** Marks import runs as failed whose job was killed at every attempt. */
export const endLostImportRuns = defineJob(
  'end-lost-import-runs',
  z.object({}),
  async (ctx, _data, { signal }) => {
    const lost = await ctx.db
      .selectFrom('import_run')
      .where(isWithoutJob(ctx.services.clock(), { table: 'import_run', job: runImport, member: 'importRunId' }))
      .orderBy('updatedAt')
      .limit(LOST_AT_ONCE)
      .select(['id', 'organizationId', 'spaceId'])
      .execute();
    for (const run of lost) {
      signal.throwIfAborted();
      await failImportRun(ctx, run, 'The import run was interrupted several times.');
    }
  },
  { cron: '* * * * *' },
);
