import { sql } from 'kysely';
import { forgetToken } from '../../../platform/access/authenticate.ts';
import type { Context } from '../../../platform/context/context.ts';
import { type NewEvent, recordEvents } from '../../../platform/events/record-event.ts';
import { endSsoGrantsOf } from '../oauth/index.ts';

interface Account {
  organizationId: string;
  userId: string;
}

/**
 * Ends the sessions, access tokens and applications of a user that were made with the SSO of an organization, and
 * sign-ins that are under way, in a transaction. This process refuses them at once, others within five seconds. What is
 * made in such a session at the same time ends too, or is refused (`lockCredential`).
 */
export async function endSsoCredentials(ctx: Context, account: Account): Promise<void> {
  const { organizationId, userId } = account;
  // The membership comes before the sessions, as in `lockCredential`: another order would be a deadlock.
  await ctx.db
    .selectFrom('membership')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .select('id')
    .forNoKeyUpdate()
    .execute();
  const sessions = await endSessions(ctx, account);
  // A statement of its own: it sees what was made in the sessions while they were waited for.
  const tokens = await endTokensAndSignIns(ctx, account);
  await endSsoGrantsOf(ctx, account);
  await recordEvents(ctx, [
    ...tokens.map(({ apiTokenId }) => tokenRevoked(account, apiTokenId)),
    ...sessions.map(() => sessionEnded(account)),
  ]);
  ctx.afterCommit?.push(() => {
    for (const { secretHash } of [...sessions, ...tokens]) forgetToken(ctx.services, Buffer.from(secretHash));
  });
}

/** Those that were started with an access token of SSO have its provider too. */
async function endSessions(ctx: Context, { organizationId, userId }: Account): Promise<{ secretHash: Buffer }[]> {
  const { rows } = await sql<{ secretHash: Buffer }>`
    delete from session s
    where s.user_id = ${userId}
      and s.saml_provider_id in (select sp.id from saml_provider sp where sp.organization_id = ${organizationId})
    returning s.secret_hash`.execute(ctx.db);
  return rows;
}

async function endTokensAndSignIns(
  ctx: Context,
  { organizationId, userId }: Account,
): Promise<{ apiTokenId: string; secretHash: Buffer }[]> {
  const { rows } = await sql<{ apiTokenId: string; secretHash: Buffer }>`
    with sign_ins as (
      delete from saml_request where organization_id = ${organizationId} and user_id = ${userId})
    delete from api_token t using saml_provider sp
    where sp.id = t.saml_provider_id and sp.organization_id = ${organizationId} and t.user_id = ${userId}
    returning t.id as api_token_id, t.secret_hash`.execute(ctx.db);
  return rows;
}

const tokenRevoked = ({ organizationId, userId }: Account, apiTokenId: string): NewEvent => ({
  kind: 'api_token_revoked',
  organizationId,
  ids: { apiTokenId, userId },
});

const sessionEnded = ({ organizationId, userId }: Account): NewEvent => ({
  kind: 'session_ended',
  organizationId,
  ids: { userId },
});
