import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { defineJob } from '../../../platform/jobs/job.ts';
import { countedSince } from './email-sign-in.ts';

const BATCH = 1_000;

/** Removes expired sessions, links that signed nobody in, and sign-ins by email that no longer count. */
export const removeExpiredSessions = defineJob(
  'remove-expired-sessions',
  z.object({}),
  async (ctx, _data, { signal }) => {
    await ctx.db.deleteFrom('sign_in_link').where('expiresAt', '<=', nowOf(ctx)).execute();
    await ctx.db
      .deleteFrom('sign_in_request')
      .where('createdAt', '<=', countedSince(nowOf(ctx)))
      .execute();
    for (let removed = BATCH; removed === BATCH; ) {
      signal.throwIfAborted();
      const ended = ctx.db.selectFrom('session').where('expiresAt', '<=', nowOf(ctx)).select('secretHash').limit(BATCH);
      const { numDeletedRows } = await ctx.db.deleteFrom('session').where('secretHash', 'in', ended).executeTakeFirst();
      removed = Number(numDeletedRows);
    }
  },
  { cron: '41 * * * *' },
);
