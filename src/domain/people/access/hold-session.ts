import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { forbidden } from '../../../platform/errors/errors.ts';
import { isActing } from './rule/acting-member.ts';

/**
 * Holds the session of the caller, if the request was sent with one, and the membership that an SSO session is for, until the
 * transaction ends. What makes something that outlives a session calls it before it locks anything of the account. FORBIDDEN if the
 * session or the membership has ended or is disabled: another process accepts a session for some seconds after its end.
 */
export async function holdSession({ actor, db }: Context): Promise<void> {
  if (actor.kind !== 'user' || (actor.by === 'token' && actor.sessionId === undefined)) return;
  const { userId, sso, sessionId = null } = actor;
  const isSession = sql`s.id = ${sessionId} and s.user_id = ${userId}`;
  const { rows } = sso
    ? await sql`
        select 1 from membership m join session s on s.user_id = m.user_id
        where ${isActing(actor, 'm')} and ${isSession} and s.saml_provider_id = ${sso.samlProviderId}
        for share of m for key share of s`.execute(db)
    : await sql`select 1 from session s where ${isSession} for key share`.execute(db);
  if (rows.length > 0) return;
  throw forbidden(
    sso
      ? 'This SSO session has ended, or your membership in its organization has ended or is disabled.'
      : 'This session has ended. Sign in again.',
  );
}
