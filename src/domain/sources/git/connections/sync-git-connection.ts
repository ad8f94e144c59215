import { z } from 'zod';
import { conflict } from '../../../../platform/errors/errors.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { command, idOf } from '../../../../platform/operation/operation.ts';
import { permissions } from '../../../people/access/index.ts';
import { type GitConnectionRow, gitConnectionFor } from './access.ts';
import { requestSync } from './request-sync.ts';

const needed = permissions.syncGitConnection.space;

export const syncGitConnection = command({
  name: 'syncGitConnection',
  scope: 'write',
  description:
    'Synchronizes a connected space with its branch now, in the background, instead of with the next push or poll. CONFLICT if the connection is paused ' +
    'or was not started.',
  input: z.object({ spaceId: idOf('space') }),
  authorize: (ctx, { spaceId = '' }) => gitConnectionFor(ctx, spaceId, needed),
  async run(ctx, { spaceId }): Promise<{ connection: GitConnectionRow }> {
    const row = await gitConnectionFor(ctx, spaceId, needed, { lock: 'for key share' });
    if (row.state === 'pending') throw conflict('The connection was not started. Start it with startGitConnection.');
    if (row.isPaused) throw conflict('The connection is paused. Resume it with updateGitConnection.');
    const { organizationId, id } = row;
    await requestSync(ctx, [id]);
    await recordEvent(ctx, { kind: 'git_connection_synced', organizationId, spaceId, ids: { gitConnectionId: id } });
    return { connection: await gitConnectionFor(ctx, spaceId, needed) };
  },
});
