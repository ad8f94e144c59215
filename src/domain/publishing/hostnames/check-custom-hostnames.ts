import { sql } from 'kysely';
import { z } from 'zod';
import { DAY_MS } from '../../../lib/durations.ts';
import { defineJob } from '../../../platform/jobs/job.ts';
import { type Claimed, dnsStatus, storeStatus } from './check-hostname.ts';

/** Hostnames that are checked in one run, so that it takes a bounded time. The longest unchecked come first. */
const HOSTNAMES_PER_RUN = 200;
const CONCURRENT_CHECKS = 10;
const UNVERIFIED_MS = 9 * 60_000;
const VERIFIED_MS = DAY_MS;

/** Checks the DNS records of custom hostnames again. */
export const checkCustomHostnames = defineJob(
  'check-custom-hostnames',
  z.object({}),
  async (ctx, _data, { signal }) => {
    const before = (milliseconds: number) => new Date(ctx.services.clock().getTime() - milliseconds).toISOString();
    const { rows: due } = await sql<Claimed>`
      select si.id as "siteId", si.organization_id as "organizationId", si.hostname
      from site si left join custom_hostname ch on ch.hostname = si.hostname and ch.site_id = si.id
      where si.hostname is not null and (ch.hostname is null
        or ch.checked_at < case when ch.verified_at is null then ${before(UNVERIFIED_MS)}::timestamptz
          else ${before(VERIFIED_MS)}::timestamptz end)
      order by ch.checked_at nulls first limit ${HOSTNAMES_PER_RUN}`.execute(ctx.db);
    for (let start = 0; start < due.length; start += CONCURRENT_CHECKS) {
      signal.throwIfAborted();
      await Promise.all(
        due
          .slice(start, start + CONCURRENT_CHECKS)
          .map(async (claimed) => storeStatus(ctx, claimed, await dnsStatus(ctx, claimed))),
      );
    }
  },
  { cron: '*/10 * * * *' },
);
