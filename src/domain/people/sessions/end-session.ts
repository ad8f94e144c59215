import { forgetToken, hashSession } from '../../../platform/access/authenticate.ts';
import type { Context } from '../../../platform/context/context.ts';
import { transact } from '../../../platform/operation/transact.ts';
import { recordAccountEvent } from '../access/index.ts';

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
    const event = { kind: 'session_ended' as const, ids: { userId: ended.userId } };
    await recordAccountEvent(inside, event, provider?.organizationId);
    inside.afterCommit?.push(() => forgetToken(ctx.services, secretHash));
  });
}
