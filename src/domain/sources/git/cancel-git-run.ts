import { z } from 'zod';
import { nowOf } from '../../../platform/context.ts';
import { badInput } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { GIT_RUN_COLUMNS, type GitRunRow, gitRunFor } from './access.ts';
import { gitRunName } from './get-git-run.ts';

const needed = permissions.cancelGitRun.space;

export const cancelGitRun = command({
  name: 'cancelGitRun',
  description:
    'Cancels a pending or running import from or export to a Git branch. A commit that was already pushed stays. Cancelling a ' +
    'cancelled run has no effect. BAD_USER_INPUT if the run has ended otherwise.',
  input: z.object(gitRunName),
  authorize: (ctx, { gitRunId = '', spaceId }) => gitRunFor(ctx, { gitRunId, spaceId: spaceId || null }, needed),
  async run(ctx, name): Promise<GitRunRow> {
    const { id } = await gitRunFor(ctx, name, needed);
    const now = nowOf(ctx);
    const cancelled = await ctx.db
      .updateTable('git_run')
      .set({ status: 'cancelled', updatedAt: now, completedAt: now, credentials: null })
      .where('id', '=', id)
      .where('status', 'in', ['pending', 'in-progress'])
      .returning(GIT_RUN_COLUMNS)
      .executeTakeFirst();
    if (!cancelled) return ended(await gitRunFor(ctx, name, needed));
    const { organizationId, spaceId } = cancelled;
    await recordEvent(ctx, { kind: 'space_gitsync_cancelled', organizationId, spaceId, ids: { gitRunId: id } });
    return cancelled;
  },
});

function ended(run: GitRunRow): GitRunRow {
  if (run.status === 'cancelled') return run;
  throw badInput(['gitRunId'], `The run is ${run.status} and can no longer be cancelled.`);
}
