import { sql } from 'kysely';
import { z } from 'zod';
import { type Context, nowOf } from '../../../../platform/context/context.ts';
import { ApiError } from '../../../../platform/errors/errors.ts';
import { WorkExceeded } from '../../../../platform/heavy-work/work-exceeded.ts';
import { defineJob, type Job } from '../../../../platform/jobs/job.ts';
import { loggable } from '../../../../platform/log/loggable.ts';
import { transact } from '../../../../platform/operation/transact.ts';
import { ownModule } from '../../../../platform/own-files.ts';
import { fileBytesOf } from '../processing/file-bytes.ts';
import type { LintInput, LintOutput, work } from './lint-work.ts';

const data = z.object({ openApiSpecVersionId: z.string() });

const RETRIES = 3;
const LIMIT_MS = 120_000;

const module = ownModule('domain/sources/openapi/lint/lint-work.ts');

/**
 * Lints a version. Its problems and the final state are written in one transaction, so that a killed job can start
 * again.
 */
export const lintOpenApiVersion: Job<typeof data> = defineJob(
  'lint-openapi-version',
  data,
  async (ctx, { openApiSpecVersionId }, { signal, retries }) => {
    const version = await pendingVersion(ctx, openApiSpecVersionId);
    if (!version) return;
    try {
      const files = await sourcesOf(ctx, version);
      const { organizationId } = version;
      using slot = await ctx.services.heavyWork.begin('lint-openapi', { ctx, organizationId, signal });
      const output = await slot.inWorker<typeof work>(module, files, { limitMs: LIMIT_MS });
      if ('failure' in output) await failLint(ctx, version.id, output.failure);
      else await complete(ctx, version, output);
    } catch (error) {
      const isFinal = error instanceof WorkExceeded || (!(error instanceof ApiError) && retries >= RETRIES);
      if (signal.aborted || !isFinal) throw error;
      if (!(error instanceof WorkExceeded)) ctx.log.error({ err: loggable(error) }, 'a version could not be linted');
      const reason = error instanceof WorkExceeded ? error.message : 'of an internal error';
      await failLint(ctx, version.id, `Linting was stopped because ${reason}.`);
    }
  },
  { concurrency: 1, concurrencyPerGroup: 1, expiresIn: 600, retries: RETRIES },
);

interface Version {
  id: string;
  organizationId: string;
  location: string;
}

async function pendingVersion({ db }: Context, id: string): Promise<Version | undefined> {
  const version = await db
    .selectFrom('openapi_spec_version')
    .where('id', '=', id)
    .where('lintState', '=', 'pending')
    .select(['id', 'organizationId', 'location', 'sourceUrl'])
    .executeTakeFirst();
  return version && { ...version, location: version.location ?? version.sourceUrl ?? TEXT };
}

/** The base of references in a source given as text, which has no other files. */
const TEXT = 'https://text.invalid/';

/** The files of a version as they were received, under the URLs that their references lead to. */
async function sourcesOf(ctx: Context, { id, location }: Version): Promise<LintInput[]> {
  const files = await fileBytesOf(ctx, id, 'source');
  return files.map(({ filename, isEntrypoint, pieces }) => {
    const at = isEntrypoint ? location : (URL.parse(filename, location)?.href ?? filename);
    return { filename, location: at, pieces };
  });
}

const complete = (ctx: Context, { id, organizationId }: Version, output: LintOutput): Promise<void> =>
  transact(ctx, async (inside) => {
    const { errorsCount, warningsCount, rows } = output;
    const counts = { lintErrorsCount: errorsCount, lintWarningsCount: warningsCount };
    if (!(await endLint(inside, id, { lintState: 'complete', ...counts }))) return;
    await sql`
      insert into openapi_lint_problem
        (version_id, organization_id, position, rule, severity, message, filename, pointer, line, "column")
      select ${id}, ${organizationId}, r.* from json_to_recordset(${Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength)}::json)
        as r(position int, rule text, severity text, message text, filename text, pointer text, line int, "column" int)`.execute(
      inside.db,
    );
  });

export const failLint = (ctx: Context, id: string, lintFailure: string): Promise<boolean> =>
  endLint(ctx, id, { lintState: 'failed', lintFailure });

/** Ends the linting of a version. False if the version was deleted, or another attempt ended first. */
async function endLint(
  ctx: Context,
  id: string,
  outcome: {
    lintState: 'complete' | 'failed';
    lintFailure?: string;
    lintErrorsCount?: number;
    lintWarningsCount?: number;
  },
): Promise<boolean> {
  const ended = await ctx.db
    .updateTable('openapi_spec_version')
    .set({ ...outcome, lintUpdatedAt: nowOf(ctx) })
    .where('id', '=', id)
    .where('lintState', '=', 'pending')
    .executeTakeFirst();
  return ended.numUpdatedRows === 1n;
}
