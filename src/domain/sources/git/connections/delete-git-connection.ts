import { z } from 'zod';
import { nowOf } from '../../../../platform/context/context.ts';
import { orNull } from '../../../../platform/errors/errors.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { command, idOf } from '../../../../platform/operation/operation.ts';
import { permissions } from '../../../people/access/index.ts';
import { gitConnectionFor } from './access.ts';

const needed = permissions.deleteGitConnection.space;

export const deleteGitConnection = command({
  name: 'deleteGitConnection',
  scope: 'admin',
  description:
    'Deletes the connection of a space to a Git branch, with its credentials and the secret of its hook. Its pending and running runs are cancelled. ' +
    'The content of the space and of the branch is kept, and the last synchronized state is remembered.',
  input: z.object({ spaceId: idOf('space') }),
  authorize: (ctx, { spaceId = '' }) => orNull(gitConnectionFor(ctx, spaceId, needed)),
  async run(ctx, { spaceId }) {
    const row = await orNull(gitConnectionFor(ctx, spaceId, needed, { lock: 'for no key update' }));
    if (!row) return { deletedId: null, spaceId: null };
    const { id, organizationId } = row;
    const now = nowOf(ctx);
    await ctx.db
      .updateTable('git_run')
      .set({ status: 'cancelled', updatedAt: now, completedAt: now, credentials: null })
      .where('connectionId', '=', id)
      .where('spaceId', '=', spaceId)
      .where('status', 'in', ['pending', 'in-progress'])
      .execute();
    await ctx.db.deleteFrom('git_connection').where('id', '=', id).execute();
    await recordEvent(ctx, { kind: 'git_connection_deleted', organizationId, spaceId, ids: { gitConnectionId: id } });
    return { deletedId: id, spaceId };
  },
});
