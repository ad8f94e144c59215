import { sql } from 'kysely';
import { z } from 'zod';
import { HOUR_MS } from '../../../lib/durations.ts';
import { nowOf } from '../../../platform/context/context.ts';
import { deleteExpired, deleteInBatches } from '../../../platform/jobs/delete-in-batches.ts';
import { defineJob } from '../../../platform/jobs/job.ts';

/** A code is exchanged within a minute after the consent. */
const WITHOUT_TOKENS_MS = HOUR_MS;

/** Removes expired records of the authorization server, and grants from which no token can be issued now. */
export const removeExpiredOAuth = defineJob(
  'remove-expired-oauth',
  z.object({}),
  async (ctx, _data, { signal }) => {
    await deleteExpired(ctx, 'oauth_record', signal);
    const old = new Date(ctx.services.clock().getTime() - WITHOUT_TOKENS_MS).toISOString();
    await deleteInBatches(signal, async (limit) => {
      const { numAffectedRows } = await sql`
        delete from oauth_grant where id in (
          select g.id from oauth_grant g where g.expires_at <= ${nowOf(ctx)}::timestamptz
            or (g.created_at < ${old}::timestamptz and not exists (select from oauth_record r where r.grant_id = g.id))
          limit ${sql.lit(limit)})`.execute(ctx.db);
      return Number(numAffectedRows);
    });
  },
  { cron: '47 * * * *' },
);
