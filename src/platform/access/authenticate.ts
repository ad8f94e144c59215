import { hash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Services } from '../context.ts';
import { unauthenticated } from '../errors.ts';
import { type Actor, ANONYMOUS } from './actor.ts';

/** Prefix of personal tokens. It lets secret scanners find leaked ones. */
export const TOKEN_PREFIX = 'stemma_';

const REMEMBERED_MS = 5_000;
const REMEMBERED_TOKENS = 10_000;
const LAST_USE_STEP_MS = 60_000;

/** Identifies the caller by the `Authorization` header of a request. */
export interface Authenticate {
  (authorization: string | undefined): Promise<Actor>;
  /** Whether this process has ever seen the token as valid, so that it is not a guess. */
  hasSeen(authorization: string | undefined): boolean;
}

/** The stored form of a token. */
export const hashToken = (token: string) => hash('sha256', token, 'buffer');

/** A new token: the prefix and 32 random bytes. */
export const makeToken = () => `${TOKEN_PREFIX}${randomBytes(32).toString('base64url')}`;

/** Cached result for a token: its caller and the end of validity in milliseconds, or that it was revoked. */
type Known = { actor: Actor; until: number } | 'revoked';

const knownTokens = new WeakMap<Services, LRUCache<string, Known>>();

/** Makes this process reject a revoked token at once, even for requests that are looking it up. */
export function forgetToken(services: Services, hash: Buffer): void {
  knownTokens.get(services)?.set(keyOf(hash), 'revoked');
}

/**
 * Authenticates bearer tokens (RFC 6750). Valid tokens are cached for five seconds or until they expire, so that all
 * processes reject a revoked token after at most five seconds. The time of last use is updated at most once a minute.
 */
export function makeAuthenticate(services: Services): Authenticate {
  const known = new LRUCache<string, Known>({ max: REMEMBERED_TOKENS });
  knownTokens.set(services, known);

  const authenticate = async (authorization: string | undefined) => {
    if (authorization === undefined) return ANONYMOUS;
    const token = tokenIn(authorization);
    if (!token) throw unauthenticated('The Authorization header must be "Bearer <token>".');
    const hash = hashToken(token);
    const key = keyOf(hash);
    const now = services.clock().getTime();
    const remembered = known.get(key);
    if (remembered === 'revoked') throw unusable();
    if (remembered && remembered.until > now) return remembered.actor;
    const found = await findToken(services, hash, now);
    if (!found || known.get(key) === 'revoked') throw unusable();
    known.set(key, { actor: found.actor, until: Math.min(now + REMEMBERED_MS, found.expiresAt) });
    return found.actor;
  };
  const hasSeen = (authorization: string | undefined) => {
    const token = authorization === undefined ? undefined : tokenIn(authorization);
    return authorization === undefined || (token !== undefined && known.get(keyOf(hashToken(token))) !== undefined);
  };
  return Object.assign(authenticate, { hasSeen });
}

const tokenIn = (authorization: string) => /^Bearer +([^\s]+) *$/i.exec(authorization)?.[1];

const keyOf = (hash: Buffer) => hash.toString('base64');

const unusable = () => unauthenticated('The access token is invalid, revoked or expired.');

async function findToken({ db }: Services, hash: Buffer, now: number) {
  const found = await db
    .selectFrom('api_token')
    .innerJoin('user', 'user.id', 'api_token.userId')
    .where('secretHash', '=', hash)
    .select(['api_token.id', 'api_token.userId', 'expiresAt', 'lastUsedAt', 'isOperator'])
    .executeTakeFirst();
  const expiresAt = found?.expiresAt ? Date.parse(found.expiresAt) : Number.POSITIVE_INFINITY;
  if (!found || expiresAt <= now) return undefined;
  if (found.lastUsedAt === null || now - Date.parse(found.lastUsedAt) > LAST_USE_STEP_MS) {
    const lastUsedAt = new Date(now).toISOString();
    await db.updateTable('api_token').set({ lastUsedAt }).where('id', '=', found.id).execute();
  }
  const { id: tokenId, userId, isOperator } = found;
  const actor: Actor = { kind: 'user', userId, isOperator, by: 'token', tokenId };
  return { actor, expiresAt };
}
