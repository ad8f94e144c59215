import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../../platform/context/context.ts';
import { enqueueAll } from '../../../../platform/jobs/enqueue.ts';
import { defineJob, type Job } from '../../../../platform/jobs/job.ts';
import { MAX_VERSIONS } from '../settings.ts';

const data = z.object({ openApiSpecVersionId: z.string() });

/** Deletes the files, operations, schemas and parts of a deleted version. */
export const removeOpenApiVersion: Job<typeof data> = defineJob(
  'remove-openapi-version',
  data,
  async ({ db }, { openApiSpecVersionId: versionId }) => {
    await db.deleteFrom('openapi_operation').where('versionId', '=', versionId).execute();
    await db.deleteFrom('openapi_schema').where('versionId', '=', versionId).execute();
    await db.deleteFrom('openapi_change').where('versionId', '=', versionId).execute();
    await db.deleteFrom('openapi_lint_problem').where('versionId', '=', versionId).execute();
    await db.deleteFrom('openapi_part').where('versionId', '=', versionId).execute();
    await db.deleteFrom('openapi_file').where('versionId', '=', versionId).execute();
  },
);

/**
 * Deletes the versions of a specification beyond the newest ones, in the transaction of the context. Content refers to
 * specifications and not to their versions, so references stay valid.
 */
export async function removeOldVersions(ctx: Context, specId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    delete from openapi_spec_version where id in (
      select v.id from openapi_spec_version v where v.spec_id = ${specId}
      order by v.created_at desc, v.id desc offset ${sql.lit(MAX_VERSIONS)})
    returning id`.execute(ctx.db);
  const jobs = rows.map(({ id }) => ({ data: { openApiSpecVersionId: id } }));
  await enqueueAll(ctx, removeOpenApiVersion, jobs);
}
