import { forbidden, unauthenticated } from '../errors.ts';

/**
 * Who asks. Every kind that the product knows stands here, so that a rule that forgets one does not compile.
 * - `anonymous`: no token.
 * - `user`: a person, by a personal token or a session.
 * - `visitor`: a reader of a published site, with the claims of a JWT signed with the site's key.
 * - `site-token`: a renderer acting for a visitor; reads the named spaces of one site.
 * - `integration`: an installed integration, bound to one organization and its scopes.
 */
export type Actor =
  | { kind: 'anonymous' }
  | { kind: 'user'; userId: string; isOperator: boolean; by: 'token' | 'session'; tokenId?: string }
  | { kind: 'visitor'; siteId: string; claims: Record<string, unknown> }
  | { kind: 'site-token'; organizationId: string; siteId: string; spaceIds: string[]; claims: Record<string, unknown> }
  | { kind: 'integration'; organizationId: string; installationId: string; scopes: string[] };

export const ANONYMOUS: Actor = { kind: 'anonymous' };

/** The user who acts, or undefined when no person does. */
export const userIdOf = (actor: Actor) => (actor.kind === 'user' ? actor.userId : undefined);

/** Id of whoever acts in their own name: a user or an installed integration. */
export function actingIdOf(actor: Actor): string | undefined {
  return actor.kind === 'integration' ? actor.installationId : userIdOf(actor);
}

/** The user who acts. Refuses everybody else: without a token 401, with another kind of token 403. */
export function requireUserId(actor: Actor): string {
  if (actor.kind === 'user') return actor.userId;
  if (actor.kind === 'anonymous') throw unauthenticated();
  throw forbidden('This operation requires an access token of a user.');
}

/** Whether the caller operates this service. */
export const isOperator = (actor: Actor) => actor.kind === 'user' && actor.isOperator;
