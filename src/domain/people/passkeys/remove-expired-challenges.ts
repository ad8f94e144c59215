import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { defineJob } from '../../../platform/jobs/job.ts';

const BATCH = 1_000;

/** Removes challenges that nobody has signed in time. */
export const removeExpiredChallenges = defineJob(
  'remove-expired-challenges',
  z.object({}),
  async (ctx, _data, { signal }) => {
    for (let removed = BATCH; removed === BATCH; ) {
      signal.throwIfAborted();
      const ended = ctx.db
        .selectFrom('passkey_challenge')
        .where('expiresAt', '<=', nowOf(ctx))
        .select('challengeHash')
        .limit(BATCH);
      const { numDeletedRows } = await ctx.db
        .deleteFrom('passkey_challenge')
        .where('challengeHash', 'in', ended)
        .executeTakeFirst();
      removed = Number(numDeletedRows);
    }
  },
  { cron: '17 * * * *' },
);
