import { z } from 'zod';
import { deleteExpired } from '../../../platform/jobs/delete-in-batches.ts';
import { defineJob } from '../../../platform/jobs/job.ts';

/** Removes invitations by email that have expired or were withdrawn. */
export const removeExpiredInvites = defineJob(
  'remove-expired-invites',
  z.object({}),
  (ctx, _data, { signal }) => deleteExpired(ctx, 'email_invite', signal),
  { cron: '17 3 * * *' },
);
