import { z } from 'zod';
import { nowOf } from '../../../../platform/context/context.ts';
import { conflict } from '../../../../platform/errors/errors.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { command, idOf } from '../../../../platform/operation/operation.ts';
import { permissions } from '../../../people/access/index.ts';
import { isSsh } from '../repository-url.ts';
import { type GitConnectionRow, gitConnectionFor, gitConnectionForChange } from './access.ts';
import { newKeyColumns } from './ssh-access.ts';

const needed = permissions.rotateGitSshKey.space;

export const rotateGitSshKey = command({
  name: 'rotateGitSshKey',
  scope: 'admin',
  description:
    'Replaces the key pair of a connection over SSH. The server refuses the connection until the new public key, `sshPublicKey`, is added to the ' +
    'repository. CONFLICT if the connection is not over SSH.',
  input: z.object({ spaceId: idOf('space') }),
  authorize: (ctx, { spaceId = '' }) => gitConnectionFor(ctx, spaceId, needed),
  async run(ctx, { spaceId }): Promise<{ connection: GitConnectionRow }> {
    const connection = await gitConnectionForChange(ctx, spaceId, needed);
    const { id, organizationId, repositoryUrl } = connection;
    if (!isSsh(repositoryUrl))
      throw conflict('The repository is not reached over SSH, so the connection has no key pair to replace.');
    ctx.em.assign(connection, { ...newKeyColumns(ctx, id), updatedAt: nowOf(ctx) });
    await ctx.em.flush();
    await recordEvent(ctx, { kind: 'git_connection_updated', organizationId, spaceId, ids: { gitConnectionId: id } });
    return { connection: await gitConnectionFor(ctx, spaceId, needed) };
  },
});
