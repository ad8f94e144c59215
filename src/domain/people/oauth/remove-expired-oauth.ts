import { sql } from 'kysely';
import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { defineJob } from '../../../platform/jobs/job.ts';

const BATCH = 1_000;
/** A code is exchanged within a minute after the consent. */
const WITHOUT_TOKENS_MS = 3_600_000;

/** Removes expired records of the authorization server, and grants from which no token can be issued now. */
export const removeExpiredOAuth = defineJob(
  'remove-expired-oauth',
  z.object({}),
  async (ctx, _data, { signal }) => {
    const { db } = ctx;
    const now = nowOf(ctx);
    for (let removed = BATCH; removed === BATCH; ) {
      signal.throwIfAborted();
      const { numAffectedRows = 0n } = await sql`
        delete from oauth_record where (type, id_hash) in (
          select type, id_hash from oauth_record where expires_at <= ${now}::timestamptz limit ${BATCH})`.execute(db);
      removed = Number(numAffectedRows);
    }
    const old = new Date(ctx.services.clock().getTime() - WITHOUT_TOKENS_MS).toISOString();
    for (let removed = BATCH; removed === BATCH; ) {
      signal.throwIfAborted();
      const { numAffectedRows = 0n } = await sql`
        delete from oauth_grant where id in (
          select g.id from oauth_grant g where g.expires_at <= ${now}::timestamptz
            or (g.created_at < ${old}::timestamptz and not exists (select from oauth_record r where r.grant_id = g.id))
          limit ${BATCH})`.execute(db);
      removed = Number(numAffectedRows);
    }
  },
  { cron: '47 * * * *' },
);
