import { type RawBuilder, sql } from 'kysely';
import { type Actor, reachOf, requireUserId } from '../../../platform/access/actor.ts';
import { isOwnToken, ownsToken } from '../users/index.ts';

/**
 * The condition that a grant is one of the caller's: as for access tokens, callers who signed in with SSO have those of
 * the same identity provider. An application that is limited to organizations or spaces sees only itself, since others
 * reach more.
 */
export function isOwnGrant(actor: Actor, row: string): RawBuilder<boolean> {
  const self = limitedApplication(actor);
  if (self === undefined) return isOwnToken(actor, row);
  return sql<boolean>`(${sql.ref(`${row}.userId`)} = ${requireUserId(actor)} and ${sql.ref(`${row}.id`)} = ${self})`;
}

/** The same for a grant that was read. */
export function ownsGrant(actor: Actor, grant: { id: string; userId: string; samlProviderId: string | null }): boolean {
  const self = limitedApplication(actor);
  if (self === undefined) return ownsToken(actor, grant);
  return grant.userId === requireUserId(actor) && grant.id === self;
}

/** Id of the grant of an application that reaches some organizations only. */
const limitedApplication = (actor: Actor): string | undefined =>
  actor.kind === 'user' && reachOf(actor) !== undefined ? actor.application?.grantId : undefined;
