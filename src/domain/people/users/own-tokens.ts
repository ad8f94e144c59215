import { type RawBuilder, sql } from 'kysely';
import { type Actor, requireUserId, ssoOf } from '../../../platform/access/actor.ts';

/**
 * The condition that a token is one of the caller's. Callers who signed in with SSO only have the tokens that were
 * created with the same identity provider.
 */
export function isOwnToken(actor: Actor, row: string): RawBuilder<boolean> {
  const sso = ssoOf(actor);
  const owner = sql`${sql.ref(`${row}.userId`)} = ${requireUserId(actor)}`;
  return sso === undefined
    ? sql<boolean>`${owner}`
    : sql<boolean>`(${owner} and ${sql.ref(`${row}.samlProviderId`)} = ${sso.samlProviderId})`;
}

/** The same for a token that was read. */
export function ownsToken(actor: Actor, token: { userId: string; samlProviderId: string | null }): boolean {
  const sso = ssoOf(actor);
  return token.userId === requireUserId(actor) && (sso === undefined || token.samlProviderId === sso.samlProviderId);
}
