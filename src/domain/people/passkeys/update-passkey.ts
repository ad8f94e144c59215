import { z } from 'zod';
import { requireFullAccount, requireUserId } from '../../../platform/access/actor.ts';
import { lockEntity } from '../../../platform/database/lock-entity.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { recordAccountEvent } from '../access/index.ts';
import { Passkey } from './entity.ts';
import { passkeyLabel } from './label.ts';
import type { PasskeyRow } from './load-passkey.ts';

export const updatePasskey = command({
  name: 'updatePasskey',
  scope: 'admin',
  description:
    'Renames one of your passkeys. FORBIDDEN in an SSO session, and for a token that is restricted to scopes.',
  input: z.object({ passkeyId: idOf('passkey'), label: passkeyLabel }),
  async run(ctx, { passkeyId, label }): Promise<PasskeyRow> {
    const userId = requireUserId(ctx.actor);
    requireFullAccount(ctx.actor);
    const passkey = await lockEntity(ctx, Passkey, { id: passkeyId, userId });
    if (!passkey) throw notFound('passkey', passkeyId);
    ctx.em.assign(passkey, { label });
    await ctx.em.flush();
    await recordAccountEvent(ctx, { kind: 'passkey_updated', ids: { passkeyId, userId } });
    return passkey;
  },
});
