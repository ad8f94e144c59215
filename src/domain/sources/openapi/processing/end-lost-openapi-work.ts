import { sql } from 'kysely';
import { z } from 'zod';
import { type Context, nowOf } from '../../../../platform/context/context.ts';
import { enqueueAll } from '../../../../platform/jobs/enqueue.ts';
import { defineJob } from '../../../../platform/jobs/job.ts';
import { isWithoutJob, LOST_AT_ONCE } from '../../../../platform/jobs/lost-runs.ts';
import { transact } from '../../../../platform/operation/transact.ts';
import { failLint, lintOpenApiVersion } from '../lint/lint-openapi-version.ts';
import { failProcessing, processOpenApiSpec } from './process-openapi-spec.ts';

const INTERRUPTED = 'was interrupted several times.';

const processing = {
  table: 'openapi_spec',
  job: processOpenApiSpec,
  member: 'openApiSpecId',
  status: 'processing_state',
  unfinished: ['pending', 'progress'],
  since: 'processing_since',
};

const linting = {
  table: 'openapi_spec_version',
  job: lintOpenApiVersion,
  member: 'openApiSpecVersionId',
  status: 'lint_state',
  unfinished: ['pending'],
  since: 'lint_updated_at',
};

/**
 * Ends the processing and linting of specifications whose jobs were killed at every attempt, and enqueues the linting
 * of versions that are older than linting.
 */
export const endLostOpenApiWork = defineJob(
  'end-lost-openapi-work',
  z.object({}),
  async (ctx, _data, { signal }) => {
    const now = ctx.services.clock();
    const specs = await ctx.db
      .selectFrom('openapi_spec')
      .where(isWithoutJob(now, processing))
      .limit(LOST_AT_ONCE)
      .select(['id', 'organizationId', 'sourceNumber'])
      .execute();
    for (const spec of specs) {
      signal.throwIfAborted();
      await failProcessing(ctx, spec, { code: 'PARSE_ERROR', faults: [{ message: `Processing ${INTERRUPTED}` }] });
    }
    const versions = await ctx.db
      .selectFrom('openapi_spec_version')
      .where(isWithoutJob(now, linting))
      .limit(LOST_AT_ONCE)
      .select('id')
      .execute();
    for (const { id } of versions) await failLint(ctx, id, `Linting ${INTERRUPTED}`);
    await lintOlderVersions(ctx);
  },
  { cron: '*/15 * * * *' },
);

/** Versions from before there was linting have no time of it. */
const lintOlderVersions = (ctx: Context): Promise<void> =>
  transact(ctx, async (inside) => {
    const { rows } = await sql<{ id: string; organizationId: string }>`
      update openapi_spec_version set lint_updated_at = ${nowOf(inside)}
      where id in (
        select id from openapi_spec_version where lint_state = 'pending' and lint_updated_at is null
        order by created_at desc limit ${sql.lit(LOST_AT_ONCE)} for no key update skip locked)
      returning id, organization_id`.execute(inside.db);
    const jobs = rows.map(({ id, organizationId }) => ({ data: { openApiSpecVersionId: id }, group: organizationId }));
    await enqueueAll(inside, lintOpenApiVersion, jobs);
  });
