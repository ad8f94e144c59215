import { z } from 'zod';
import { defineJob } from '../../../../platform/jobs/job.ts';
import { isWithoutJob, LOST_AT_ONCE } from '../../../../platform/jobs/lost-runs.ts';
import { TRANSLATION_COLUMNS } from '../access.ts';
import { failTranslationRun } from './run-state.ts';
import { runTranslationJob } from './run-translation-job.ts';

/** Queued runs have this status too, except the first one of a translation. */
const runs = { table: 'translation', job: runTranslationJob, member: 'translationId', unfinished: ['running'] };

/** Marks runs as failed if their job was killed at every attempt. */
export const endLostTranslationRuns = defineJob(
  'end-lost-translation-runs',
  z.object({}),
  async (ctx, _data, { signal }) => {
    const lost = await ctx.db
      .selectFrom('translation')
      .where(isWithoutJob(ctx.services.clock(), runs))
      .orderBy('updatedAt')
      .limit(LOST_AT_ONCE)
      .select(TRANSLATION_COLUMNS)
      .execute();
    for (const translation of lost) {
      signal.throwIfAborted();
      await failTranslationRun(ctx, translation, 'The run was interrupted several times.');
    }
  },
  { cron: '*/15 * * * *' },
);
