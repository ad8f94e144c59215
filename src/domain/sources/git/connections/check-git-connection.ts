import { z } from 'zod';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { command, idOf } from '../../../../platform/operation/operation.ts';
import { permissions } from '../../../people/access/index.ts';
import { type GitConnectionRow, gitConnectionFor } from './access.ts';
import { checkConnection, type GitCheck } from './check.ts';

const needed = permissions.checkGitConnection.space;

export const checkGitConnection = command({
  name: 'checkGitConnection',
  scope: 'write',
  description:
    'Checks the connection of a space to a Git branch: address, rights, branch, layout and hook. Reads the branch within the request, and changes nothing.',
  input: z.object({ spaceId: idOf('space') }),
  takesLong: true,
  authorize: (ctx, { spaceId = '' }) => gitConnectionFor(ctx, spaceId, needed),
  prepare: async (ctx, { spaceId }) => checkConnection(ctx, await gitConnectionFor(ctx, spaceId, needed)),
  async run(ctx, { spaceId }, checks): Promise<{ connection: GitConnectionRow; checks: GitCheck[] }> {
    const connection = await gitConnectionFor(ctx, spaceId, needed);
    const { organizationId, id } = connection;
    await recordEvent(ctx, { kind: 'git_connection_checked', organizationId, spaceId, ids: { gitConnectionId: id } });
    return { connection, checks };
  },
});
