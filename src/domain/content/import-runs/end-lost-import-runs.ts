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
          run.and([run('status', '=', 'in-progress'), run('updated_at', '<', before(SILENT_MS))]),
          run.and([run('status', '=', 'pending'), run('updated_at', '<', before(LOST_MS))]),
        ]),
      )
      .orderBy('updated_at')
      .limit(BATCH)
      .select(['id', 'organization_id', 'space_id'])
      .execute();
    for (const run of lost) {
      signal.throwIfAborted();
      await failRun(ctx, run, 'It was interrupted several times and given up.');
    }
  },
  { cron: '*/15 * * * *' },
);
