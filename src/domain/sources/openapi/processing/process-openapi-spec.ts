import { z } from 'zod';
import { type SpecificationFault, UnusableSpecification } from '../../../../lib/openapi/fault.ts';
import { type Context, nowOf } from '../../../../platform/context/context.ts';
import { jsonColumn } from '../../../../platform/database/json-column.ts';
import { allowLongStatements } from '../../../../platform/database/session.ts';
import type { Row } from '../../../../platform/database/tables.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { WorkExceeded } from '../../../../platform/heavy-work/work-exceeded.ts';
import { enqueue } from '../../../../platform/jobs/enqueue.ts';
import { defineJob, type Job } from '../../../../platform/jobs/job.ts';
import { loggable } from '../../../../platform/log/loggable.ts';
import { transact } from '../../../../platform/operation/transact.ts';
import { OutboundError } from '../../../../platform/outbound/outbound-error.ts';
import type { ProcessingErrorCode } from '../enums.ts';
import { lintOpenApiVersion } from '../lint/lint-openapi-version.ts';
import { type Gathered, gatherSource } from './gather-source.ts';
import { removeOldVersions } from './remove-openapi-version.ts';
import { storeVersion } from './store-version.ts';

const data = z.object({ openApiSpecId: z.string(), sourceNumber: z.int() });

const RETRIES = 3;
const EXPIRES_SECONDS = 900;
/**
 * Processes the source of a specification. The version and the final state are written in one transaction, so that a
 * killed job can start again. The outcome is discarded if the source was replaced or the specification deleted
 * meanwhile.
 */
export const processOpenApiSpec: Job<typeof data> = defineJob(
  'process-openapi-spec',
  data,
  async (ctx, { openApiSpecId, sourceNumber }, { signal, retries }) => {
    const spec = await begin(ctx, openApiSpecId, sourceNumber);
    if (!spec) return;
    try {
      const latestDigest = await digestOfLatest(ctx, spec);
      const gathered = await gatherSource(ctx, spec, latestDigest, signal);
      using _version = gathered.isUnchanged ? undefined : gathered;
      await finish(ctx, spec, gathered);
    } catch (error) {
      // A request that ended because the process stops says nothing about the source.
      const failure = signal.aborted ? undefined : failureOf(error);
      if (!failure && (signal.aborted || retries < RETRIES)) throw error;
      if (!failure) ctx.log.error({ err: loggable(error) }, 'a specification could not be processed');
      await failProcessing(ctx, spec, failure ?? INTERNAL);
    }
  },
  // Most of the time is spent waiting for servers. Slots for heavy work bound the versions that are in memory.
  { concurrency: 6, concurrencyPerGroup: 1, expiresIn: EXPIRES_SECONDS, retries: RETRIES },
);

type Spec = Row<'openapi_spec'>;

/** Identity of a source that is being processed. */
type Claim = Pick<Spec, 'id' | 'organizationId' | 'sourceNumber'>;

/** Claims a specification that waits, or whose previous attempt was interrupted. */
const begin = (ctx: Context, id: string, sourceNumber: number): Promise<Spec | undefined> =>
  ctx.db
    .updateTable('openapi_spec')
    .set({ processingState: 'progress', processingSince: nowOf(ctx) })
    .where('id', '=', id)
    .where('sourceNumber', '=', sourceNumber)
    .where('processingState', '!=', 'complete')
    .returningAll()
    .executeTakeFirst();

async function digestOfLatest({ db }: Context, { latestVersionId: id }: Spec): Promise<string | null> {
  if (id === null) return null;
  const latest = await db.selectFrom('openapi_spec_version').where('id', '=', id).select('digest').executeTakeFirst();
  return latest?.digest ?? null;
}

/** Writes the version, if there is a new one, and that the specification was processed successfully. */
const finish = (ctx: Context, spec: Spec, gathered: Gathered): Promise<void> =>
  transact(ctx, async (inside) => {
    await allowLongStatements(inside.db);
    const { etag, lastModified } = gathered;
    const success = { etag, lastModified, lastProcessErrorCode: null, lastProcessedErrors: null };
    if (!(await end(inside, spec, success)) || gathered.isUnchanged) return;
    const { id: openApiSpecId, organizationId } = spec;
    const versionId = await storeVersion(inside, spec, gathered, nowOf(inside));
    await inside.db
      .updateTable('openapi_spec')
      .set({ latestVersionId: versionId, updatedAt: nowOf(inside) })
      .where('id', '=', openApiSpecId)
      .execute();
    await removeOldVersions(inside, openApiSpecId);
    const { changesCount, breakingChangesCount } = gathered.version;
    const counts = { changesCount: String(changesCount), breakingChangesCount: String(breakingChangesCount) };
    const ids = { openApiSpecId, openApiSpecVersionId: versionId, ...counts };
    await recordEvent(inside, { kind: 'openapi_version_created', organizationId, ids });
    await enqueue(inside, lintOpenApiVersion, { openApiSpecVersionId: versionId }, { group: organizationId });
  });

interface Failure {
  code: ProcessingErrorCode;
  faults: readonly SpecificationFault[];
}

const INTERNAL: Failure = {
  code: 'PARSE_ERROR',
  faults: [{ message: 'The specification could not be processed because of an internal error.' }],
};

/** Fault of the source that an error reports. Undefined for other errors. */
function failureOf(error: unknown): Failure | undefined {
  if (error instanceof UnusableSpecification) return { code: 'PARSE_ERROR', faults: error.faults };
  if (error instanceof WorkExceeded) {
    return { code: 'PARSE_ERROR', faults: [{ message: `Processing was stopped because ${error.message}.` }] };
  }
  if (!(error instanceof OutboundError)) return undefined;
  const code = error.code === 'FETCH_TIMEOUT' ? 'FETCH_TIMEOUT' : 'FETCH_ERROR';
  return { code, faults: [{ message: error.message }] };
}

/** Ends the processing of the given source with a failure. */
export const failProcessing = (ctx: Context, spec: Claim, { code, faults }: Failure): Promise<void> =>
  transact(ctx, async (inside) => {
    const failure = { lastProcessErrorCode: code, lastProcessedErrors: jsonColumn(faults) };
    if (!(await end(inside, spec, failure))) return;
    const { id, organizationId } = spec;
    await recordEvent(inside, { kind: 'openapi_spec_failed', organizationId, ids: { openApiSpecId: id } });
  });

/** Ends the processing. False if the source was replaced, the specification deleted, or another attempt ended first. */
async function end(
  ctx: Context,
  { id, sourceNumber }: Claim,
  outcome: Partial<Pick<Spec, 'etag' | 'lastModified' | 'lastProcessErrorCode' | 'lastProcessedErrors'>>,
): Promise<boolean> {
  const ended = await ctx.db
    .updateTable('openapi_spec')
    .set({ ...outcome, processingState: 'complete', lastProcessedAt: nowOf(ctx) })
    .where('id', '=', id)
    .where('sourceNumber', '=', sourceNumber)
    .where('processingState', '!=', 'complete')
    .executeTakeFirst();
  return ended.numUpdatedRows === 1n;
}
