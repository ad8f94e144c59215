import { z } from 'zod';
import { DAY_MS } from '../../../lib/durations.ts';
import { defineJob } from '../../../platform/jobs/job.ts';
import { emailDomainStatus, storeEmailDomainStatus } from './check-email-domain.ts';

/** Domains that are checked in one run, so that it takes a bounded time. The longest unchecked come first. */
const DOMAINS_PER_BATCH = 200;
const LOOKUPS_AT_ONCE = 10;
const UNVERIFIED_MS = 9 * 60_000;
const VERIFIED_MS = DAY_MS;

/** Rechecks the DNS records of email domains whose verification was requested. */
export const checkEmailDomains = defineJob(
  'check-email-domains',
  z.object({}),
  async (ctx, _data, { signal }) => {
    const before = (milliseconds: number) => new Date(ctx.services.clock().getTime() - milliseconds).toISOString();
    const due = await ctx.db
      .selectFrom('email_domain_proof')
      .where((proof) =>
        proof.or([
          proof.and([proof('verifiedAt', 'is', null), proof('checkedAt', '<', before(UNVERIFIED_MS))]),
          proof('checkedAt', '<', before(VERIFIED_MS)),
        ]),
      )
      .orderBy('checkedAt')
      .select(['organizationId', 'domain'])
      .limit(DOMAINS_PER_BATCH)
      .execute();
    for (let start = 0; start < due.length; start += LOOKUPS_AT_ONCE) {
      signal.throwIfAborted();
      await Promise.all(
        due
          .slice(start, start + LOOKUPS_AT_ONCE)
          .map(async (listed) => storeEmailDomainStatus(ctx, listed, await emailDomainStatus(ctx, listed))),
      );
    }
  },
  { cron: '*/10 * * * *' },
);
