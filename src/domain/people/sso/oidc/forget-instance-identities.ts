import type { Context } from '../../../../platform/context/context.ts';
import { recordAccountEvent } from '../../access/index.ts';
import { endProviderSessions } from '../../sessions/index.ts';

/**
 * Forgets whom the provider of the whole service with this issuer knows as a user, on the word of an operator, and ends
 * the sessions of these people, in a transaction. The next sign-in with the verified address of the user is linked to
 * the account. Returns how many people were forgotten.
 */
export async function forgetInstanceIdentities(ctx: Context, userId: string, issuer: string): Promise<number> {
  const forgotten = await ctx.db
    .deleteFrom('oidc_identity')
    .where('userId', '=', userId)
    .where('issuer', '=', issuer)
    .returning(['issuer', 'subject'])
    .execute();
  for (const person of forgotten) await endProviderSessions(ctx, { ...person, providerId: null, sid: undefined });
  if (forgotten.length > 0) await recordAccountEvent(ctx, { kind: 'sso_identity_unlinked', ids: { userId } });
  return forgotten.length;
}
