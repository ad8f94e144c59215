import { z } from 'zod';
import { HOUR_MS } from '../../../../lib/durations.ts';
import { type Context, nowOf } from '../../../../platform/context/context.ts';
import { enqueueAll } from '../../../../platform/jobs/enqueue.ts';
import { defineJob } from '../../../../platform/jobs/job.ts';
import { transact } from '../../../../platform/operation/transact.ts';
import { processOpenApiSpec } from './process-openapi-spec.ts';

const REFETCH_HOURS = 6;
const SPECS_PER_STATEMENT = 200;

/** Fetches specifications with a URL again, six hours after they were last processed. */
export const refetchOpenApiSpecs = defineJob(
  'refetch-openapi-specs',
  z.object({}),
  async (ctx, _data, { signal }) => {
    for (let count = SPECS_PER_STATEMENT; count === SPECS_PER_STATEMENT; ) {
      signal.throwIfAborted();
      count = await transact(ctx, refetchSome);
    }
  },
  { cron: '*/15 * * * *' },
);

/** Enqueues a batch of specifications. Returns their number. */
async function refetchSome(ctx: Context): Promise<number> {
  const before = new Date(Date.parse(nowOf(ctx)) - REFETCH_HOURS * HOUR_MS).toISOString();
  const due = ctx.db
    .selectFrom('openapi_spec')
    .where('processingState', '=', 'complete')
    .where('lastProcessedAt', '<', before)
    .where('sourceUrl', 'is not', null)
    .orderBy('lastProcessedAt')
    .limit(SPECS_PER_STATEMENT)
    .select('id')
    .forNoKeyUpdate()
    .skipLocked();
  const specs = await ctx.db
    .updateTable('openapi_spec')
    .set({ processingState: 'pending', processingSince: nowOf(ctx) })
    .where('id', 'in', due)
    .returning(['id', 'sourceNumber', 'organizationId'])
    .execute();
  const jobs = specs.map(({ id, sourceNumber, organizationId }) => ({
    data: { openApiSpecId: id, sourceNumber },
    group: organizationId,
  }));
  await enqueueAll(ctx, processOpenApiSpec, jobs);
  return specs.length;
}
