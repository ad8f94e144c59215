import { z } from 'zod';
import { defineJob, type Job } from '../../../platform/jobs/job.ts';

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
