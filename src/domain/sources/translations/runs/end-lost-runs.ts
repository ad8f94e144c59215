import { z } from 'zod';
import { HOUR_MS } from '../../../../lib/durations.ts';
import { defineJob } from '../../../../platform/jobs/job.ts';
import { TRANSLATION_COLUMNS } from '../access.ts';
import { failTranslationRun } from './run-state.ts';

/** How long a run can go without a progress update, which usually comes every second, or wait in the queue. */
const SILENT_MS = 2 * HOUR_MS;
const RUNS_PER_STATEMENT = 100;

/** Marks runs as failed if their job was killed at every attempt. */
export const endLostTranslationRuns = defineJob(
  'end-lost-translation-runs',
  z.object({}),
  async (ctx, _data, { signal }) => {
    const before = new Date(ctx.services.clock().getTime() - SILENT_MS).toISOString();
    const lost = await ctx.db
      .selectFrom('translation')
      .where('status', '=', 'running')
      .where('updatedAt', '<', before)
      .orderBy('updatedAt')
      .limit(RUNS_PER_STATEMENT)
      .select(TRANSLATION_COLUMNS)
      .execute();
    for (const translation of lost) {
      signal.throwIfAborted();
      await failTranslationRun(ctx, translation, 'The run was interrupted several times.');
    }
  },
  { cron: '*/15 * * * *' },
);
