import { sql } from 'kysely';
import { type Context, nowOf } from '../../../../platform/context/context.ts';
import { enqueueAll } from '../../../../platform/jobs/enqueue.ts';
import type { TranslationRow } from '../access.ts';
import { runTranslationJob } from './run-translation-job.ts';

interface Starting {
  /** Delay in seconds. */
  startAfter?: number;
  /** Runs that are queued or in progress begin again, since what they have read has changed. */
  isRestarted?: boolean;
}

/**
 * Starts runs of translations, in the transaction of the context. Those that run already go on, unless they are
 * restarted.
 */
export async function startRuns(
  ctx: Context,
  ids: readonly string[],
  { startAfter = 0, isRestarted = false }: Starting = {},
): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await sql<Pick<TranslationRow, 'id' | 'runNumber' | 'organizationId'>>`
    update translation t set former_status = case t.status when 'running' then t.former_status else t.status end, status = 'running', run_number = t.run_number + 1,
      pages_done = 0, last_error = null, updated_at = ${nowOf(ctx)}::timestamptz
    where t.id = any(${[...ids].sort()}::text[]) and (t.status <> 'running' or ${isRestarted})
    returning t.id, t.run_number as "runNumber", t.organization_id as "organizationId"`.execute(ctx.db);
  const jobs = rows.map(({ id, runNumber, organizationId }) => ({
    data: { translationId: id, runNumber },
    group: organizationId,
    ...(startAfter > 0 && { startAfter }),
  }));
  await enqueueAll(ctx, runTranslationJob, jobs);
}
