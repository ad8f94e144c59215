import { z } from 'zod';
import { rejectUnproven, requireUserId } from '../../../platform/access/actor.ts';
import { lockEntity } from '../../../platform/database/lock-entity.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { Passkey } from './entity.ts';
import { passkeyLabel } from './label.ts';
import type { PasskeyRow } from './load-passkey.ts';

export const updatePasskey = command({
  name: 'updatePasskey',
  scope: 'admin',
  description: 'Renames one of your passkeys. FORBIDDEN in an SSO session.',
  input: z.object({ passkeyId: idOf('passkey'), label: passkeyLabel }),
  async run(ctx, { passkeyId, label }): Promise<PasskeyRow> {
    const userId = requireUserId(ctx.actor);
    rejectUnproven(ctx.actor);
    const passkey = await lockEntity(ctx, Passkey, { id: passkeyId, userId });
    if (!passkey) throw notFound('passkey', passkeyId);
    ctx.em.assign(passkey, { label });
    await ctx.em.flush();
    await recordEvent(ctx, { kind: 'passkey_updated', organizationId: null, ids: { passkeyId, userId } });
    return passkey;
  },
});
