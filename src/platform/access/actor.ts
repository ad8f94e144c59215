import { ApiError, forbidden, unauthenticated } from '../errors/errors.ts';
import type { ApiPath } from './audiences.ts';
import type { Scope } from './scopes.ts';

/**
 * The caller. Code that distinguishes kinds must handle all of them to compile.
 * - `anonymous`: no token.
 * - `user`: a person, by a personal token or a session.
 * - `visitor`: a reader of a published site, by a site token or at the site itself. Reads what its visits show.
 * - `integration`: an installed integration, bound to one organization and its scopes.
 * - `provisioner`: an identity provider with a SCIM token, bound to one organization. It calls SCIM and no operation.
 */
export type Actor =
  | { kind: 'anonymous'; visits?: readonly Visit[] }
  | {
      kind: 'user';
      userId: string;
      isOperator: boolean;
      by: 'token' | 'session';
      tokenId?: string;
      /** Of a restricted access token, or a session that was started with one. */
      scopes?: readonly Scope[];
      /** The application that the user has connected with OAuth, which sends the request. */
      application?: { grantId: string; name: string };
      /** The API that a token of an application is bound to. Undefined if it is for the whole service. */
      api?: ApiPath | undefined;
      /** The session of the request, if it was sent with a cookie. */
      sessionId?: string;
      sso?: SsoSignIn;
      /** The organizations that the user has limited the application to. Undefined for all, and for other callers. */
      organizationIds?: readonly string[];
      /**
       * The spaces that the user has limited the application to. It acts only in these, in the organizations that it
       * reaches. Undefined for all, and for other callers.
       */
      spaceIds?: readonly string[];
      visits?: readonly Visit[];
    }
  | { kind: 'visitor'; visits: readonly Visit[] }
  | { kind: 'integration'; organizationId: string; installationId: string; scopes: string[] }
  | { kind: 'provisioner'; organizationId: string; scimTokenId: string };

/** What a published site shows to a reader that it admits. Resolved once for each request. */
export interface Visit {
  organizationId: string;
  siteId: string;
  /** The spaces of the site whose conditions the claims meet. */
  spaceIds: ReadonlySet<string>;
  /** Ids of site spaces, sections and links that are hidden, since the claims do not meet their conditions. */
  hiddenIds: ReadonlySet<string>;
  /** Signed claims, and those that are not signed as `unsigned`. */
  claims: Readonly<Record<string, unknown>>;
  /** The share key by which the site was entered with this request. */
  shareKey?: string;
  /**
   * A preview by a member: the site is shown even if it is not published, and of its spaces those that the member can
   * read, with their earlier revisions and change requests.
   */
  isPreview?: true;
}

/**
 * A sign-in with SSO. The caller acts in this organization only and is never an operator: its identity provider vouches
 * for its members, and must not be able to act as them elsewhere.
 */
export interface SsoSignIn {
  organizationId: string;
  /** The SAML or OpenID provider, a row of `saml_provider`. */
  providerId: string;
}

export const ANONYMOUS: Actor = { kind: 'anonymous' };

/** Id of the user, or undefined if the caller is not a user. */
export const userIdOf = (actor: Actor) => (actor.kind === 'user' ? actor.userId : undefined);

/** Id of the user, installed integration or SCIM token that acts, or undefined for other callers. */
export function actingIdOf(actor: Actor): string | undefined {
  if (actor.kind === 'provisioner') return actor.scimTokenId;
  return actor.kind === 'integration' ? actor.installationId : userIdOf(actor);
}

/** Id of the user. Throws 401 without a token, and 403 with another kind of token. */
export function requireUserId(actor: Actor): string {
  if (actor.kind === 'user') return actor.userId;
  if (actor.kind === 'anonymous') throw unauthenticated();
  throw userRequired();
}

/** The error for callers with another kind of token. */
export const userRequired = () => forbidden('This operation requires an access token of a user.');

/** Whether the caller is public: anonymous, or holding a site token, which public sites issue to every visitor. */
export const isPublicCaller = ({ kind }: Actor) => kind === 'anonymous' || kind === 'visitor';

/** The published sites that have admitted the caller: as a visitor, or by share keys of the request. */
export const visitsOf = (actor: Actor): readonly Visit[] =>
  isProgram(actor) ? NO_VISITS : (actor.visits ?? NO_VISITS);

/** Whether the caller is a program that acts for an organization, which no site admits. */
const isProgram = (actor: Actor): actor is Extract<Actor, { kind: 'integration' | 'provisioner' }> =>
  actor.kind === 'integration' || actor.kind === 'provisioner';

const NO_VISITS: readonly Visit[] = [];

/** The visit by which the caller reads a space. */
export const visitTo = (actor: Actor, spaceId: string): Visit | undefined =>
  visitsOf(actor).find(({ spaceIds }) => spaceIds.has(spaceId));

/** Whether the caller previews a space. */
export const isPreviewing = (actor: Actor, spaceId: string): boolean =>
  visitsOf(actor).some(({ isPreview, spaceIds }) => isPreview === true && spaceIds.has(spaceId));

/** The caller with further visits. Without effect for integrations and provisioners. */
export const withVisits = (actor: Actor, visits: readonly Visit[]): Actor =>
  isProgram(actor) || visits.length === 0 ? actor : { ...actor, visits: [...visitsOf(actor), ...visits] };

/** The sign-in with SSO of a caller who made one. */
export const ssoOf = (actor: Actor) => (actor.kind === 'user' ? actor.sso : undefined);

/**
 * Ids of the only organizations that the caller reaches: the one of a sign-in with SSO, or those that an application is
 * limited to. All others are as if the user were no member. Undefined if nothing limits the caller.
 */
export function reachOf(actor: Actor): readonly string[] | undefined {
  if (actor.kind !== 'user') return undefined;
  return actor.sso ? [actor.sso.organizationId] : actor.organizationIds;
}

/** FORBIDDEN for callers who are no operators. `what` completes "Only operators of the service can …". */
export function requireOperator(actor: Actor, what: string): void {
  if (!isOperator(actor)) throw forbidden(`Only operators of the service can ${what}.`);
}

/**
 * Ids of the only spaces in which the caller acts: those that an application is limited to. Undefined if no spaces
 * limit the caller.
 */
export const onlySpacesOf = (actor: Actor): readonly string[] | undefined =>
  actor.kind === 'user' ? actor.spaceIds : undefined;

/** Whether the caller's SSO sign-in and application, if any, allow the organization. Does not check the membership. */
export const canReach = (actor: Actor, organizationId: string): boolean =>
  reachOf(actor)?.includes(organizationId) ?? true;

/** A user who can connect applications, and the sign-in with SSO that they are connected by. */
export interface Grantor {
  userId: string;
  sso: SsoSignIn | undefined;
}

/**
 * The caller as one who can connect applications, and create access tokens. Undefined for tokens that are restricted to
 * scopes, for those that were created with SSO, and for sessions that were started with either.
 */
export function grantorOf(actor: Actor): Grantor | undefined {
  if (actor.kind !== 'user' || actor.scopes !== undefined) return undefined;
  const { userId, sso, by } = actor;
  return sso && by === 'token' ? undefined : { userId, sso };
}

/**
 * Id of the account that the caller proves to have: by a session or token without SSO that is not restricted to scopes.
 * Undefined for all others, who must not change or link the account.
 */
export const provenAccountOf = (actor: Actor): string | undefined =>
  actor.kind === 'user' && actor.sso === undefined && actor.scopes === undefined ? actor.userId : undefined;

/** Whether a caller has one of the scopes. Only restricted access tokens, and sessions started with them, lack any. */
export function hasScope(actor: Actor, requiredScope: Scope | readonly Scope[]): boolean {
  const scopes = actor.kind === 'user' ? actor.scopes : undefined;
  if (scopes === undefined) return true;
  return [requiredScope].flat().some((scope) => scope === 'read' || scopes.includes(scope));
}

/** Throws 403 unless the caller has one of the scopes. */
export function requireScope(actor: Actor, requiredScope: Scope | readonly Scope[]): void {
  if (hasScope(actor, requiredScope)) return;
  const needed = [requiredScope].flat();
  const named = needed.map((scope) => `"${scope}"`).join(' or ');
  throw new ApiError('FORBIDDEN', `This access token does not have the scope ${named}. Use a token that has it.`, [], {
    ...(needed[0] && { missingScope: needed[0] }),
  });
}

/** Throws 403 if the caller reaches some organizations only (`reachOf`). For operations outside of organizations. */
export function rejectLimitedReach(actor: Actor): void {
  if (reachOf(actor) === undefined) return;
  rejectLimitedToSpaces(actor);
  if (ssoOf(actor) === undefined)
    throw forbidden(
      'This application is limited to some of your organizations. Connect it again with all organizations, or do this without the application.',
    );
  throw forbidden(
    'An SSO session gives access only to its organization. Sign in without SSO, or use a personal access token that was created without SSO.',
  );
}

/**
 * Throws 403 if the caller is an application that is limited to spaces. For operations that reach beyond the content of
 * these spaces: managing access, and work that continues with all of the user's rights.
 */
export function rejectLimitedToSpaces(actor: Actor): void {
  if (onlySpacesOf(actor) === undefined) return;
  throw forbidden(
    'This application is limited to some spaces. Connect it again with whole organizations, or do this without the application.',
  );
}

/**
 * Throws 403 if the caller reaches some organizations only, or has a token that is restricted to scopes. For changes of
 * the account itself.
 */
export function requireFullAccount(actor: Actor): void {
  rejectLimitedReach(actor);
  rejectScopedToken(actor);
}

/** Throws 403 if the caller has a token that is restricted to scopes. */
export function rejectScopedToken(actor: Actor): void {
  if (actor.kind !== 'user' || actor.scopes === undefined) return;
  throw forbidden(
    'This token is restricted to scopes. Changing the account needs a session or a token without scopes.',
  );
}

/**
 * Throws 403 if the caller must not make the user a member of an organization: an application that is limited to some
 * or to spaces, or an SSO session of another one.
 */
export function rejectBeyondReach(actor: Actor, organizationId: string): void {
  rejectLimitedToSpaces(actor);
  if (ssoOf(actor) === undefined || !canReach(actor, organizationId)) rejectLimitedReach(actor);
}

/** Whether the caller is an operator of this service. */
export const isOperator = (actor: Actor) => actor.kind === 'user' && actor.isOperator;
