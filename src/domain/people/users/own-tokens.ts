import { type RawBuilder, sql } from 'kysely';
import { type Actor, onlySpacesOf, reachOf, requireUserId, ssoOf } from '../../../platform/access/actor.ts';

/**
 * The condition that a token is one of the caller's. Callers who signed in with SSO only have the tokens that were
 * created with the same identity provider. Applications that are limited to organizations or spaces have none: tokens
 * reach others too.
 */
export function isOwnToken(actor: Actor, row: string): RawBuilder<boolean> {
  const sso = ssoOf(actor);
  const owner = sql`${sql.ref(`${row}.userId`)} = ${requireUserId(actor)}`;
  if (reachesLess(actor)) return sql<boolean>`false`;
  if (sso === undefined) return sql<boolean>`${owner}`;
  return sql<boolean>`(${owner} and ${sql.ref(`${row}.samlProviderId`)} = ${sso.providerId})`;
}

/** The same for a token that was read. */
export function ownsToken(actor: Actor, token: { userId: string; samlProviderId: string | null }): boolean {
  const sso = ssoOf(actor);
  if (reachesLess(actor)) return false;
  return token.userId === requireUserId(actor) && (sso === undefined || token.samlProviderId === sso.providerId);
}

const reachesLess = (actor: Actor): boolean =>
  onlySpacesOf(actor) !== undefined || (ssoOf(actor) === undefined && reachOf(actor) !== undefined);
