import { z } from 'zod';
import { nowOf } from '../../../../platform/context/context.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { command, idOf } from '../../../../platform/operation/operation.ts';
import { permissions } from '../../../people/access/index.ts';
import { type GitConnectionRow, gitConnectionFor, gitConnectionForChange } from './access.ts';
import { hookSecret } from './connection-secrets.ts';
import { newHookSecret } from './hook-signature.ts';

const needed = permissions.rotateGitHookSecret.space;

export const rotateGitHookSecret = command({
  name: 'rotateGitHookSecret',
  scope: 'admin',
  description:
    'Replaces the secret of the hook of a connection. Requests that are signed with the former secret are refused from then on. Until the repository has the new secret, pushes are found by polling. The secret is returned only once.',
  input: z.object({ spaceId: idOf('space') }),
  authorize: (ctx, { spaceId = '' }) => gitConnectionFor(ctx, spaceId, needed),
  async run(ctx, { spaceId }): Promise<{ connection: GitConnectionRow; hookSecret: string | null }> {
    const connection = await gitConnectionForChange(ctx, spaceId, needed);
    const { id, organizationId } = connection;
    const secret = newHookSecret();
    const encrypted = hookSecret.encrypt(ctx.services, { id }, secret);
    ctx.em.assign(connection, { hookSecret: encrypted, updatedAt: nowOf(ctx) });
    await ctx.em.flush();
    await recordEvent(ctx, { kind: 'git_connection_updated', organizationId, spaceId, ids: { gitConnectionId: id } });
    return { connection: await gitConnectionFor(ctx, spaceId, needed), hookSecret: secret };
  },
  shownOnce: ['hookSecret'],
});
