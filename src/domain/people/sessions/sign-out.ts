import { forgetToken } from '../../../platform/access/authenticate.ts';
import { hashSession } from '../../../platform/access/credentials.ts';
import type { Context } from '../../../platform/context/context.ts';
import { transact } from '../../../platform/operation/transact.ts';
import { recordAccountEvent } from '../access/index.ts';

/**
 * Ends the session of a cookie. Other processes accept it for up to five more seconds. Without effect if there is none.
 */
export function signOut(ctx: Context, secret: string): Promise<void> {
  return transact(ctx, async (inside) => {
    const ended = await inside.db
      .deleteFrom('session')
      .where('secretHash', '=', hashSession(secret))
      .returning(['secretHash', 'userId', 'samlProviderId'])
      .executeTakeFirst();
    if (ended) await recordSessionEnd(inside, ended);
  });
}

/** Records that a session was deleted in this transaction, and makes this process refuse it after the commit. */
export async function recordSessionEnd(
  ctx: Context,
  { secretHash, userId, samlProviderId }: { secretHash: Buffer; userId: string; samlProviderId: string | null },
): Promise<void> {
  const provider = await ctx.db
    .selectFrom('saml_provider')
    .where('id', '=', samlProviderId)
    .select('organizationId')
    .executeTakeFirst();
  await recordAccountEvent(ctx, { kind: 'session_ended', ids: { userId } }, provider?.organizationId);
  ctx.afterCommit?.push(() => forgetToken(ctx.services, Buffer.from(secretHash)));
}
