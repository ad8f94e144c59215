import { z } from 'zod';
import { deleteExpired } from '../../../platform/jobs/delete-in-batches.ts';
import { defineJob } from '../../../platform/jobs/job.ts';

/** Removes sign-ins that were started and never finished, and logout tokens that would be refused anyway. */
export const removeExpiredSamlRequests = defineJob(
  'remove-expired-saml-requests',
  z.object({}),
  async (ctx, _data, { signal }) => {
    for (const table of ['oidc_request', 'oidc_logout_token', 'saml_request'] as const)
      await deleteExpired(ctx, table, signal);
  },
  { cron: '47 * * * *' },
);
