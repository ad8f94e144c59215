import { z } from 'zod';
import { conflict, orNull } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { permissions } from '../../people/access/index.ts';
import { spaceFor } from '../../places/spaces/index.ts';
import { forgetPushes } from './runs/settled-state.ts';
import { spaceWithPendingRun } from './synchronized-spaces.ts';

const needed = permissions.removeLegacyGitInstallation.space;

export const removeLegacyGitInstallation = command({
  name: 'removeLegacyGitInstallation',
  scope: 'admin',
  description:
    'Removes the Git synchronization of a space, so that it can be synchronized with another repository as if for the first ' +
    'time. The content of the space and of the branch is kept. CONFLICT while the space is connected to a branch or has a pending ' +
    'Git operation.',
  input: z.object({ spaceId: idOf('space') }),
  authorize: (ctx, { spaceId = '' }) => orNull(spaceFor(ctx, spaceId, needed)),
  async run(ctx, { spaceId }) {
    const space = await orNull(spaceFor(ctx, spaceId, needed, { lock: 'for no key update' }));
    if (!space) return { deletedId: null, spaceId: null };
    const { organizationId } = space;
    const connected = await ctx.db
      .selectFrom('git_connection')
      .where('spaceId', '=', spaceId)
      .select('id')
      .executeTakeFirst();
    if (connected) throw conflict('The space is connected to a Git branch. Delete the connection first.');
    if (await spaceWithPendingRun(ctx, [spaceId]))
      throw conflict('The space has a pending Git operation. Wait until it has ended, or cancel it.');
    await forgetPushes(ctx, { spaceId });
    await ctx.db.deleteFrom('git_file').where('spaceId', '=', spaceId).execute();
    const removed = await ctx.db.deleteFrom('git_sync').where('spaceId', '=', spaceId).executeTakeFirst();
    const isRemoved = removed.numDeletedRows > 0n;
    if (isRemoved) await recordEvent(ctx, { kind: 'space_gitsync_removed', organizationId, spaceId, ids: {} });
    return { deletedId: isRemoved ? spaceId : null, spaceId };
  },
});
