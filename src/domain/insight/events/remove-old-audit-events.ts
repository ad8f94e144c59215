import { sql } from 'kysely';
import { z } from 'zod';
import { DAY_MS, MINUTE_MS } from '../../../lib/durations.ts';
import { allowLongStatements } from '../../../platform/database/session.ts';
import { auditedKinds } from '../../../platform/events/audited.ts';
import { deleteInBatches } from '../../../platform/jobs/delete-in-batches.ts';
import { defineJob } from '../../../platform/jobs/job.ts';
import { transact } from '../../../platform/operation/transact.ts';

const EVENTS_PER_BATCH = 5_000;
/** The last statement reads the whole table, which has no index for it: events are written much more often. */
const STATEMENT_LIMIT_MS = 10 * MINUTE_MS;

/** Deletes audited events after `AUDIT_RETENTION_DAYS`, with the addresses in them. */
export const removeOldAuditEvents = defineJob(
  'remove-old-audit-events',
  z.object({}),
  async (ctx, _data, { signal }) => {
    const { services } = ctx;
    const { auditRetentionDays } = services.config;
    const oldest = new Date(services.clock().getTime() - auditRetentionDays * DAY_MS).toISOString();
    const deleteSome = (limit: number) =>
      transact(ctx, async ({ db }) => {
        await allowLongStatements(db, STATEMENT_LIMIT_MS);
        const { numAffectedRows } = await sql`
          delete from event where ctid in (
            select e.ctid from event e
            where e.created_at < ${oldest}::timestamptz and e.kind = any(${auditedKinds}::text[])
            limit ${sql.lit(limit)})`.execute(db);
        return Number(numAffectedRows);
      });
    await deleteInBatches(signal, deleteSome, EVENTS_PER_BATCH);
  },
  { cron: '37 3 * * *', expiresIn: 3_600 },
);
