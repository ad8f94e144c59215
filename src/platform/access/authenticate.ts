import { LRUCache } from 'lru-cache';
import type { Services } from '../context/services.ts';
import { unauthenticated } from '../errors/errors.ts';
import { type Actor, ANONYMOUS } from './actor.ts';
import { hashScimToken, hashSession, hashToken, TOKEN_PREFIX } from './credentials.ts';
import { type FoundCaller, findAnyToken, findProvisioner, findSession, findToken } from './find-caller.ts';
import { isSiteToken, visitorByToken } from './visitors.ts';

/**
 * How long a revoked token or session can still be accepted by another process (docs/decisions/people.md, Users and
 * members).
 */
const REVOCATION_LIMIT_MS = 5_000;
/** Leaves a second between the check and the operation, in which the request waits or its body arrives. */
const CACHED_MS = REVOCATION_LIMIT_MS - 1_000;
/** Requests that take longer from the check to the operation, such as those with a slow body, are checked again. */
export const CHECK_AGAIN_AFTER_MS = 500;
const CACHED_TOKENS = 10_000;

/**
 * Identifies the caller by the `Authorization` header of a request or, without one, by the value of its session cookie.
 * Throws 401 for unusable tokens. Callers with an unknown or expired session are anonymous.
 */
export interface Authenticate {
  (authorization: string | undefined, session?: string | undefined): Promise<Actor>;
  /** The caller of a token that this process has cached, without a promise. Undefined if it has to be looked up. */
  cachedCaller(authorization: string): Actor | undefined;
  /** Whether this process has seen the token as valid lately, so that it is no guess. */
  isKnownToken(authorization: string): boolean;
  /**
   * The same for SCIM, which takes tokens of its own: they are valid nowhere else, and no other token is valid there.
   */
  readonly provisioners: Pick<Authenticate, 'isKnownToken'> & ((authorization: string | undefined) => Promise<Actor>);
}

/** What was read for a token, or that it was revoked. */
type CacheEntry = CachedCaller | 'revoked';

interface CachedCaller {
  actor: Actor;
  /** When the statement that read it began, by the clock of the service. */
  readAt: number;
  /** When it must be read again, or when the token expires, by the clock of the service. */
  until: number;
  /** When it must be read again, by the monotonic clock. */
  monotonicUntil: number;
}

/**
 * The clock of the service can be set back; the monotonic clock can stand still while the machine sleeps. So both
 * decide.
 */
const isCurrent = ({ readAt, until, monotonicUntil }: CachedCaller, now: number): boolean =>
  readAt <= now && now < until && performance.now() < monotonicUntil;

const caches = new WeakMap<Services, LRUCache<string, CacheEntry>>();

/** Makes this process reject a revoked token or an ended session at once, even for requests that are looking it up. */
export function forgetToken(services: Services, hash: Buffer): void {
  caches.get(services)?.set(keyOf(hash), 'revoked');
}

/**
 * Authenticates bearer tokens (RFC 6750) and sessions. No operation begins with a token that another process revoked
 * five seconds before: valid ones are cached for four seconds, and not beyond their expiry. Site tokens are checked
 * with every request.
 */
export function makeAuthenticate(services: Services): Authenticate {
  const cache = new LRUCache<string, CacheEntry>({ max: CACHED_TOKENS });
  caches.set(services, cache);

  const actorBy = async (hashed: Buffer, find: Find): Promise<Actor | undefined> => {
    const key = keyOf(hashed);
    const now = services.clock().getTime();
    const cached = cache.get(key);
    if (cached === 'revoked') return undefined;
    if (cached && isCurrent(cached, now)) return cached.actor;
    const monotonicUntil = performance.now() + CACHED_MS;
    const found = await find(services, hashed, now);
    if (!found || cache.get(key) === 'revoked') return undefined;
    const until = Math.min(now + CACHED_MS, found.expiresAt);
    cache.set(key, { actor: found.actor, readAt: now, until, monotonicUntil });
    return found.actor;
  };
  const authenticate = async (authorization: string | undefined, session?: string | undefined) => {
    if (authorization === undefined) {
      return (session !== undefined && (await actorBy(hashSession(session), findSession))) || ANONYMOUS;
    }
    const token = tokenIn(authorization);
    if (!token) throw unauthenticated('The Authorization header must be "Bearer <token>".');
    const actor = isSiteToken(token)
      ? await visitorByToken(services, token)
      : await actorBy(hashToken(token), token.startsWith(TOKEN_PREFIX) ? findToken : findAnyToken);
    if (!actor) throw invalidToken();
    return actor;
  };
  const cachedCaller = (authorization: string) => {
    const token = tokenIn(authorization);
    const cached = token === undefined ? undefined : cache.get(keyOf(hashToken(token)));
    if (cached === undefined || cached === 'revoked') return undefined;
    return isCurrent(cached, services.clock().getTime()) ? cached.actor : undefined;
  };
  const isKnown = (authorization: string, hashOf: (token: string) => Buffer) => {
    const token = tokenIn(authorization);
    return token !== undefined && cache.get(keyOf(hashOf(token))) !== undefined;
  };
  const provisioner = async (authorization: string | undefined) => {
    const token = authorization === undefined ? undefined : tokenIn(authorization);
    const actor = token === undefined ? undefined : await actorBy(hashScimToken(token), findProvisioner);
    if (!actor) throw invalidScimToken();
    return actor;
  };
  const provisioners = Object.assign(provisioner, {
    isKnownToken: (authorization: string) => isKnown(authorization, hashScimToken),
  });
  const isKnownToken = (authorization: string) => isKnown(authorization, hashToken);
  return Object.assign(authenticate, { cachedCaller, isKnownToken, provisioners });
}

/** Finds a caller by the stored form of a token or session. */
type Find = (services: Services, hash: Buffer, now: number) => Promise<FoundCaller | undefined>;

const tokenIn = (authorization: string) => /^Bearer +([^\s]+) *$/i.exec(authorization)?.[1];

const keyOf = (hash: Buffer) => hash.toString('base64');

const invalidToken = () => unauthenticated('The access token is invalid, revoked or expired.');

/** The same for tokens of other organizations and organizations that do not exist. */
export const invalidScimToken = () =>
  unauthenticated('The SCIM token is missing, revoked or expired, or is not of this organization.');
