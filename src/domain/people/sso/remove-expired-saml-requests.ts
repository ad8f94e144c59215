import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { defineJob } from '../../../platform/jobs/job.ts';

const BATCH = 1_000;

/** Removes sign-ins that were started and never finished, and logout tokens that would be refused anyway. */
export const removeExpiredSamlRequests = defineJob(
  'remove-expired-saml-requests',
  z.object({}),
  async (ctx, _data, { signal }) => {
    for (const table of ['oidc_request', 'oidc_logout_token'] as const)
      await ctx.db.deleteFrom(table).where('expiresAt', '<=', nowOf(ctx)).execute();
    for (let removed = BATCH; removed === BATCH; ) {
      signal.throwIfAborted();
      const ended = ctx.db.selectFrom('saml_request').where('expiresAt', '<=', nowOf(ctx)).select('id').limit(BATCH);
      const { numDeletedRows } = await ctx.db.deleteFrom('saml_request').where('id', 'in', ended).executeTakeFirst();
      removed = Number(numDeletedRows);
    }
  },
  { cron: '47 * * * *' },
);
