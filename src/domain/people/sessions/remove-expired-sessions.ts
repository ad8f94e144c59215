import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { deleteExpired, deleteInBatches } from '../../../platform/jobs/delete-in-batches.ts';
import { defineJob } from '../../../platform/jobs/job.ts';
import { countedSince } from './email-sign-in.ts';

/** Removes expired sessions, links that were not used to sign in, and sign-ins by email that no longer count. */
export const removeExpiredSessions = defineJob(
  'remove-expired-sessions',
  z.object({}),
  async (ctx, _data, { signal }) => {
    const { db } = ctx;
    for (const table of ['sign_in_link', 'session'] as const) await deleteExpired(ctx, table, signal);
    await deleteInBatches(signal, async (limit) => {
      const since = countedSince(nowOf(ctx));
      const old = db.selectFrom('sign_in_request').where('createdAt', '<=', since).select('id').limit(limit);
      const { numDeletedRows } = await db.deleteFrom('sign_in_request').where('id', 'in', old).executeTakeFirst();
      return Number(numDeletedRows);
    });
  },
  { cron: '41 * * * *' },
);
