import { hashToken } from '../../../platform/access/credentials.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { unauthenticated } from '../../../platform/errors/errors.ts';
import { transact } from '../../../platform/operation/transact.ts';
import { type StartedSession, startSession } from './start-session.ts';

/**
 * Starts a session with an access token of a user. It has the rights of the token, including the restrictions of a
 * token that was created with SSO, and ends with it. UNAUTHENTICATED if the token cannot be used, without a reason.
 */
export function startSessionWithToken(ctx: Context, token: string): Promise<StartedSession> {
  const secretHash = hashToken(token.trim());
  return transact(ctx, async (inside) => {
    const now = nowOf(ctx);
    const apiToken = await inside.db
      .updateTable('api_token')
      .set({ lastUsedAt: now })
      .where('secretHash', '=', secretHash)
      .where((row) => row.or([row('expiresAt', 'is', null), row('expiresAt', '>', now)]))
      .returning(['id', 'userId', 'expiresAt', 'samlProviderId'])
      .executeTakeFirst();
    if (!apiToken) throw unusable();
    const provider = await inside.db
      .selectFrom('saml_provider')
      .where('id', '=', apiToken.samlProviderId)
      .select(['id as providerId', 'organizationId'])
      .executeTakeFirst();
    if (apiToken.samlProviderId !== null && !provider) throw unusable();
    const { id, userId, expiresAt } = apiToken;
    return startSession(inside, { userId, apiToken: { id, expiresAt }, ...(provider && { sso: provider }) });
  });
}

const unusable = () => unauthenticated('This is not an access token of an account, or it was revoked or has expired.');
