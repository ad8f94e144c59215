import { sql } from 'kysely';
import { z } from 'zod';
import { nowOf } from '../../../../platform/context/context.ts';
import { defineJob } from '../../../../platform/jobs/job.ts';
import { cutTo } from '../../../../platform/shapes/cut-text.ts';
import { revisionUrls } from '../../../content/revisions/index.ts';
import { connectionById } from './access.ts';
import { type CommitStatus, postCommitStatus } from './provider-api.ts';

/** Limit of GitHub. */
const MAX_DESCRIPTION = 140;

/** Posts the status of the commit of a pull request that was imported, with the address of its preview. */
export const postGitStatus = defineJob(
  'post-git-status',
  z.object({ gitRunId: z.string() }),
  async (ctx, { gitRunId }) => {
    const run = await ctx.db
      .selectFrom('git_run')
      .where('id', '=', gitRunId)
      .select(['spaceId', 'connectionId', 'status', 'reason', 'commitOid', 'revisionId', 'repositoryUrl'])
      .executeTakeFirst();
    if (run?.connectionId == null || run.commitOid === null) return;
    const row = await connectionById(ctx, run.connectionId);
    // The commit and its revision are not known to a repository that was connected meanwhile.
    if (!row?.hasCredentials || row.repositoryUrl !== run.repositoryUrl) return;
    const { revisionId } = run;
    const status: CommitStatus =
      run.status === 'completed' && revisionId !== null
        ? {
            state: 'success',
            description: 'The preview is ready.',
            targetUrl: revisionUrls({ id: revisionId, spaceId: run.spaceId }, ctx).app,
          }
        : {
            state: 'failure',
            description: cutTo(MAX_DESCRIPTION, run.reason ?? 'The import failed.'),
            targetUrl: null,
          };
    const response = await postCommitStatus(ctx, row, run.commitOid, status);
    const message =
      'reason' in response ? `The commit status was not posted: ${response.reason}` : 'Posted the commit status.';
    const entry = JSON.stringify([{ at: nowOf(ctx), message }]);
    await sql`update git_run set log = (coalesce(log::jsonb, '[]') || ${entry}::jsonb)::json where id = ${gitRunId}`.execute(
      ctx.db,
    );
  },
  { concurrency: 4, concurrencyPerGroup: 2 },
);
