import { forgetToken, hashSession } from '../../../platform/access/authenticate.ts';
import type { Context } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { transact } from '../../../platform/operation/transact.ts';

/** Ends a session. Other processes accept it for up to five more seconds. Without effect if there is none. */
export function endSession(ctx: Context, secret: string): Promise<void> {
  const secretHash = hashSession(secret);
  return transact(ctx, { id: undefined, versions: undefined }, async (inside) => {
    const ended = await inside.db
      .deleteFrom('session')
      .where('secretHash', '=', secretHash)
      .returning(['userId', 'samlProviderId'])
      .executeTakeFirst();
    if (!ended) return;
    const provider = await inside.db
      .selectFrom('saml_provider')
      .where('id', '=', ended.samlProviderId)
      .select('organizationId')
      .executeTakeFirst();
    const organizationId = provider?.organizationId ?? null;
    await recordEvent(inside, { kind: 'session_ended', organizationId, ids: { userId: ended.userId } });
    inside.afterCommit?.push(() => forgetToken(ctx.services, secretHash));
  });
}
