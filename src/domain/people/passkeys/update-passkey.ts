import { z } from 'zod';
import { rejectSso, requireUserId } from '../../../platform/access/actor.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { passkeyLabel } from './label.ts';
import { PASSKEY_COLUMNS, type PasskeyRow } from './load-passkey.ts';

export const updatePasskey = command({
  name: 'updatePasskey',
  description: 'Renames one of your passkeys. FORBIDDEN in an SSO session.',
  input: z.object({ passkeyId: idOf('passkey'), label: passkeyLabel }),
  async run(ctx, { passkeyId, label }): Promise<PasskeyRow> {
    const userId = requireUserId(ctx.actor);
    rejectSso(ctx.actor);
    const renamed = await ctx.db
      .updateTable('passkey')
      .set({ label })
      .where('id', '=', passkeyId)
      .where('userId', '=', userId)
      .returning(PASSKEY_COLUMNS)
      .executeTakeFirst();
    if (!renamed) throw notFound('passkey', passkeyId);
    await recordEvent(ctx, { kind: 'passkey_updated', organizationId: null, ids: { passkeyId, userId } });
    return renamed;
  },
});
