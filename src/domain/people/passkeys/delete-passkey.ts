import { z } from 'zod';
import { requireFullAccount, requireUserId } from '../../../platform/access/actor.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { recordAccountEvent } from '../access/index.ts';

export const deletePasskey = command({
  name: 'deletePasskey',
  scope: 'admin',
  description:
    'Removes one of your passkeys, so it can no longer be used to sign in. Sessions started with it continue. FORBIDDEN in an SSO session, and for a token that is restricted to scopes.',
  input: z.object({ passkeyId: idOf('passkey') }),
  async run(ctx, { passkeyId }) {
    const userId = requireUserId(ctx.actor);
    requireFullAccount(ctx.actor);
    const removed = await ctx.db
      .deleteFrom('passkey')
      .where('id', '=', passkeyId)
      .where('userId', '=', userId)
      .returning('id')
      .executeTakeFirst();
    if (!removed) return { deletedId: null, userId: null };
    await recordAccountEvent(ctx, { kind: 'passkey_deleted', ids: { passkeyId, userId } });
    return { deletedId: passkeyId, userId };
  },
});
