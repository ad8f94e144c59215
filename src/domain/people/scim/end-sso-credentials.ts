import { sql } from 'kysely';
import { forgetToken } from '../../../platform/access/authenticate.ts';
import type { Context } from '../../../platform/context/context.ts';
import { type NewEvent, recordEvents } from '../../../platform/events/record-event.ts';
import { endSsoGrantsOf } from '../oauth/index.ts';

/**
 * Ends the sessions, access tokens and applications of a user that were made with the SSO of an organization, and sign-ins that are
 * under way. This process refuses them at once, others within five seconds.
 */
export async function endSsoCredentials(
  ctx: Context,
  { organizationId, userId }: { organizationId: string; userId: string },
): Promise<void> {
  const { rows } = await sql<{ secretHash: Buffer; apiTokenId: string | null }>`
    with tokens as (
      delete from api_token t using saml_provider sp
      where sp.id = t.saml_provider_id and sp.organization_id = ${organizationId} and t.user_id = ${userId}
      returning t.id, t.secret_hash),
    sessions as (
      delete from session s
      where s.user_id = ${userId} and (
        s.saml_provider_id in (select sp.id from saml_provider sp where sp.organization_id = ${organizationId})
        or s.api_token_id in (select id from tokens))
      returning s.secret_hash),
    sign_ins as (
      delete from saml_request where organization_id = ${organizationId} and user_id = ${userId})
    select secret_hash, id as api_token_id from tokens
    union all select secret_hash, null from sessions`.execute(ctx.db);
  await endSsoGrantsOf(ctx, { organizationId, userId });
  await recordEvents(
    ctx,
    rows.map(({ apiTokenId }) => eventOf(organizationId, userId, apiTokenId)),
  );
  ctx.afterCommit?.push(() => {
    for (const { secretHash } of rows) forgetToken(ctx.services, Buffer.from(secretHash));
  });
}

const eventOf = (organizationId: string, userId: string, apiTokenId: string | null): NewEvent =>
  apiTokenId === null
    ? { kind: 'session_ended', organizationId, ids: { userId } }
    : { kind: 'api_token_revoked', organizationId, ids: { apiTokenId, userId } };
