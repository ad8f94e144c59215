import { z } from 'zod';
import { defineJob } from '../../../../platform/jobs/job.ts';
import { isWithoutJob, LOST_AT_ONCE } from '../../../../platform/jobs/lost-runs.ts';
import { failGitRun, LOST_RUN_COLUMNS } from './end-git-run.ts';
import { continueRuns, runGit } from './run-git.ts';

/** Marks runs as failed whose job was killed at every attempt, so that the next ones can go on. */
export const endLostGitRuns = defineJob(
  'end-lost-git-runs',
  z.object({}),
  async (ctx, _data, { signal }) => {
    const lost = await ctx.db
      .selectFrom('git_run')
      .where(isWithoutJob(ctx.services.clock(), { table: 'git_run', job: runGit, member: 'gitRunId' }))
      .orderBy('updatedAt')
      .limit(LOST_AT_ONCE)
      .select(LOST_RUN_COLUMNS)
      .execute();
    for (const run of lost) {
      signal.throwIfAborted();
      await failGitRun(ctx, run, 'The operation was interrupted several times.');
      await continueRuns(ctx, run);
    }
  },
  { cron: '* * * * *' },
);
