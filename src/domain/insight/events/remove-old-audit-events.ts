import { sql } from 'kysely';
import { z } from 'zod';
import { allowLongStatements } from '../../../platform/database/statement-meter.ts';
import { auditedKinds } from '../../../platform/events/audited.ts';
import { defineJob } from '../../../platform/jobs/job.ts';
import { transact } from '../../../platform/operation/transact.ts';

const BATCH = 5_000;
const DAY_MS = 86_400_000;
const LONG_STATEMENT_MS = 600_000;

/** Deletes audited events after `AUDIT_RETENTION_DAYS`, with the addresses in them. */
export const removeOldAuditEvents = defineJob(
  'remove-old-audit-events',
  z.object({}),
  async (ctx, _data, { signal }) => {
    const { services } = ctx;
    const { auditRetentionDays } = services.config;
    const oldest = new Date(services.clock().getTime() - auditRetentionDays * DAY_MS).toISOString();
    for (let removed = BATCH; removed === BATCH; ) {
      signal.throwIfAborted();
      // The last statement reads the whole table, which has no index for it: events are written much more often.
      removed = await transact(ctx, { id: undefined, versions: undefined }, async ({ db }) => {
        await allowLongStatements(db, LONG_STATEMENT_MS);
        const { numAffectedRows } = await sql`
          delete from event where ctid in (
            select e.ctid from event e
            where e.created_at < ${oldest}::timestamptz and e.kind = any(${auditedKinds}::text[])
            limit ${sql.lit(BATCH)})`.execute(db);
        return Number(numAffectedRows);
      });
    }
  },
  { cron: '37 3 * * *', expiresIn: 3_600 },
);
