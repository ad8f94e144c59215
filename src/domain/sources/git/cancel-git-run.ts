import { z } from 'zod';
import { nowOf } from '../../../platform/context/context.ts';
import { lockEntity } from '../../../platform/database/lock-entity.ts';
import { badInput, notFound } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { GitRun } from '../../store/git-sync/index.ts';
import { GIT_RUN_COLUMNS, type GitRunRow, gitRunFor } from './access.ts';
import { gitRunName } from './get-git-run.ts';

const needed = permissions.cancelGitRun.space;

export const cancelGitRun = command({
  name: 'cancelGitRun',
  scope: 'write',
  description:
    'Cancels a pending or running import from or export to a Git branch. A commit that was already pushed is kept. Cancelling a ' +
    'cancelled run has no effect. BAD_USER_INPUT if the run has ended otherwise.',
  input: z.object(gitRunName),
  authorize: (ctx, { gitRunId = '', spaceId }) => gitRunFor(ctx, { gitRunId, spaceId: spaceId || null }, needed),
  async run(ctx, name): Promise<GitRunRow> {
    const { id } = await gitRunFor(ctx, name, needed);
    const run = await lockEntity(ctx, GitRun, { id }, GIT_RUN_COLUMNS);
    if (!run) throw notFound('Git run', id);
    if (run.status === 'cancelled') return run;
    if (run.status !== 'pending' && run.status !== 'in-progress')
      throw badInput(['gitRunId'], `The run is ${run.status} and can no longer be cancelled.`);
    const now = nowOf(ctx);
    ctx.em.assign(run, { status: 'cancelled', updatedAt: now, completedAt: now, credentials: null });
    await ctx.em.flush();
    const { organizationId, spaceId } = run;
    await recordEvent(ctx, { kind: 'space_gitsync_cancelled', organizationId, spaceId, ids: { gitRunId: id } });
    return run;
  },
});
