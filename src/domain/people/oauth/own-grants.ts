import { type RawBuilder, sql } from 'kysely';
import { type Actor, reachOf, requireUserId, ssoOf } from '../../../platform/access/actor.ts';

/**
 * The condition that a grant is one of the caller's. SSO sessions have none. An application that is limited to
 * organizations sees itself alone, since other applications reach others.
 */
export function isOwnGrant(actor: Actor, row: string): RawBuilder<boolean> {
  if (ssoOf(actor)) return sql<boolean>`false`;
  const owner = sql<boolean>`${sql.ref(`${row}.userId`)} = ${requireUserId(actor)}`;
  return reachOf(actor) === undefined
    ? owner
    : sql<boolean>`(${owner} and ${sql.ref(`${row}.id`)} = ${grantIdOf(actor) ?? ''})`;
}

/** The same for a grant that was read. */
export function ownsGrant(actor: Actor, grant: { id: string; userId: string }): boolean {
  if (ssoOf(actor) || grant.userId !== requireUserId(actor)) return false;
  return reachOf(actor) === undefined || grant.id === grantIdOf(actor);
}

const grantIdOf = (actor: Actor) => (actor.kind === 'user' ? actor.application?.grantId : undefined);
