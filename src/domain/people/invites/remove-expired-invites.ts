import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { defineJob } from '../../../platform/jobs/job.ts';

/** Removes invitations by email that have expired. */
export const removeExpiredInvites = defineJob(
  'remove-expired-invites',
  z.object({}),
  async (ctx) => {
    await ctx.db.deleteFrom('email_invite').where('expiresAt', '<=', nowOf(ctx)).execute();
  },
  { cron: '17 3 * * *' },
);
