import { sql } from 'kysely';
import { z } from 'zod';
import { auditedKinds } from '../../../platform/events/audited.ts';
import { defineJob } from '../../../platform/jobs/job.ts';

const BATCH = 5_000;
const DAY_MS = 86_400_000;

/** Deletes audited events after `AUDIT_RETENTION_DAYS`, with the addresses in them. */
export const removeOldAuditEvents = defineJob(
  'remove-old-audit-events',
  z.object({}),
  async ({ db, services }, _data, { signal }) => {
    const { auditRetentionDays } = services.config;
    const oldest = new Date(services.clock().getTime() - auditRetentionDays * DAY_MS).toISOString();
    for (let removed = BATCH; removed === BATCH; ) {
      signal.throwIfAborted();
      const { numAffectedRows } = await sql`
        delete from event where ctid in (
          select e.ctid from event e
          where e.created_at < ${oldest}::timestamptz and e.kind = any(${auditedKinds}::text[])
          limit ${sql.lit(BATCH)})`.execute(db);
      removed = Number(numAffectedRows);
    }
  },
  { cron: '37 3 * * *' },
);
