import { sql } from 'kysely';
import type { Actor } from '../../../platform/access/actor.ts';
import type { Context } from '../../../platform/context/context.ts';
import { forbidden } from '../../../platform/errors/errors.ts';
import { isActing } from './rule/acting-member.ts';

/**
 * Locks the session or access token of the caller, and the membership that one of SSO is for, until the transaction
 * ends. What makes something that outlives a session or token calls it before it locks anything of the account, and
 * after locks of an organization. FORBIDDEN if the session or token has ended, or the membership has ended or is
 * disabled: another process accepts them for some seconds after their end.
 */
export const lockCredential = (ctx: Context): Promise<void> => rejectEnded(ctx, { isLocked: true });

/**
 * The same without a lock: the session or token can end while the transaction commits. Every command that needs the
 * scope `admin` or `publish` begins with it (`checkCredentialFor`).
 */
export const assertCredential = (ctx: Context): Promise<void> => rejectEnded(ctx, { isLocked: false });

async function rejectEnded({ actor, db }: Context, { isLocked }: { isLocked: boolean }): Promise<void> {
  if (actor.kind !== 'user') return;
  const { userId, sso } = actor;
  const { table, id, name } = credentialOf(actor);
  const isCredential = sql`c.id = ${id} and c.user_id = ${userId}`;
  const lock = (clause: string) => sql.raw(isLocked ? clause : '');
  const { rows } = sso
    ? await sql`
        select 1 from membership m join ${sql.table(table)} c on c.user_id = m.user_id
        where ${isActing(actor, 'm')} and ${isCredential} and c.saml_provider_id = ${sso.providerId}
        ${lock('for share of m for key share of c')}`.execute(db)
    : await sql`select 1 from ${sql.table(table)} c where ${isCredential} ${lock('for key share')}`.execute(db);
  if (rows.length > 0) return;
  throw forbidden(
    sso
      ? `This SSO ${name} has ended, or your membership in its organization has ended or is disabled.`
      : `This ${name} has ended. Sign in again.`,
  );
}

/** What the caller has sent the request with. A session that was started with an access token ends with it. */
function credentialOf({ sessionId, by, application, tokenId }: Extract<Actor, { kind: 'user' }>) {
  if (by === 'session' || sessionId !== undefined) return { table: 'session', id: sessionId ?? null, name: 'session' };
  const table = application ? 'oauth_grant' : 'api_token';
  return { table, id: tokenId ?? null, name: 'access token' };
}
