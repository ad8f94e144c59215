import { sql } from 'kysely';
import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { defineJob } from '../../../platform/jobs/job.ts';
import { MAX_TOKEN_SECONDS } from './sign.ts';

/** Time beyond the life of tokens, for clocks of verifiers that are late. */
const MARGIN_SECONDS = 3_600;

/** Removes keys whose last tokens have expired: a newer key has signed for longer than any token is valid. */
export const removeFormerKeys = defineJob(
  'remove-former-keys',
  z.object({}),
  async (ctx) => {
    const before = Date.parse(nowOf(ctx)) - (MAX_TOKEN_SECONDS + MARGIN_SECONDS) * 1_000;
    await sql`
      delete from signing_key former where exists (
        select from signing_key newer
        where newer.organization_id = former.organization_id and newer.created_at > former.created_at
          and newer.created_at < ${new Date(before).toISOString()}::timestamptz)`.execute(ctx.db);
  },
  { cron: '53 3 * * *' },
);
