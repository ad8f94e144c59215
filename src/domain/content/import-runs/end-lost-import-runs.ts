import { z } from 'zod';
import { defineJob } from '../../../platform/jobs/job.ts';
import { failRun } from './fail-run.ts';

/** A run writes down every second that it goes on; one that waits longer than this waits for nothing. */
const LOST_MS = 24 * 60 * 60 * 1000;
const SILENT_MS = 2 * 60 * 60 * 1000;
const BATCH = 100;

/** Ends runs that nobody works on any more: their job was killed as often as it was tried. */
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
      await failRun(ctx, run, 'It was interrupted several times and given up.');
    }
  },
  { cron: '*/15 * * * *' },
);
