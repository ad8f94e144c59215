import { sql } from 'kysely';
import { z } from 'zod';
import { defineJob } from '../../../platform/jobs/job.ts';
import { withAccessLock } from '../../people/access/index.ts';
import { makeSiteKey } from './site-key.ts';

/** Sites of one run. The others follow in the next one. */
const SITES_PER_RUN = 1_000;

/**
 * Makes the keys of sites from before sites were created with one. Keys are encrypted with `SECRET_KEY`, which
 * migrations do not know.
 */
export const makeMissingSiteKeys = defineJob(
  'make-missing-site-keys',
  z.object({}),
  async (ctx, _data, { signal }) => {
    const { rows } = await sql<{ siteId: string; organizationId: string }>`
      select si.id as "siteId", si.organization_id as "organizationId" from site si
      where not exists (select from site_auth a where a.site_id = si.id) limit ${sql.lit(SITES_PER_RUN)}`.execute(
      ctx.db,
    );
    for (const site of rows) {
      signal.throwIfAborted();
      await withAccessLock(ctx, site.organizationId, (inside) => makeSiteKey(inside, site));
    }
  },
  { cron: '*/10 * * * *' },
);
