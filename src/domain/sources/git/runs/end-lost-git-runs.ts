import { z } from 'zod';
import { defineJob } from '../../../../platform/jobs/job.ts';
import { failGitRun } from './end-git-run.ts';

/** How long a running operation can go without an update, which usually comes every second. */
const SILENT_MS = 2 * 60 * 60 * 1000;
/** How long an operation can be queued before it counts as lost. */
const LOST_MS = 24 * 60 * 60 * 1000;
const BATCH = 100;

/** Marks runs as failed whose job was killed at every attempt, so that the next ones can go on. */
export const endLostGitRuns = defineJob(
  'end-lost-git-runs',
  z.object({}),
  async (ctx, _data, { signal }) => {
    const now = ctx.services.clock().getTime();
    const before = (milliseconds: number) => new Date(now - milliseconds).toISOString();
    const lost = await ctx.db
      .selectFrom('git_run')
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
      await failGitRun(ctx, run, 'The operation was interrupted several times.');
    }
  },
  { cron: '7,22,37,52 * * * *' },
);
