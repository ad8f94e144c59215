import { hash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Services } from '../context/services.ts';
import type { Database } from '../database/tables.ts';
import { unauthenticated } from '../errors/errors.ts';
import { newId } from '../ids/ids.ts';
import { type Actor, ANONYMOUS, type SsoSignIn } from './actor.ts';
import { apiOfAudience, audienceNamed } from './audiences.ts';
import type { Scope } from './scopes.ts';
import { isSiteToken, visitorByToken } from './visitors.ts';

/** Prefix of personal tokens. It lets secret scanners find leaked ones. */
export const TOKEN_PREFIX = 'stemma_';
/** Prefix of tokens that are restricted to scopes. */
const SCOPED_PREFIX = `${TOKEN_PREFIX}scoped_`;
/** Prefix of tokens for SCIM. */
const SCIM_PREFIX = `${TOKEN_PREFIX}scim_`;

/** How long a revoked token or session can still be accepted by another process (docs/decisions.md, Users and members). */
const REVOCATION_LIMIT_MS = 5_000;
/** Leaves a second between the check and the operation, in which the request waits or its body arrives. */
const REMEMBERED_MS = REVOCATION_LIMIT_MS - 1_000;
/** Requests that take longer from the check to the operation, such as those with a slow body, are checked again. */
export const CHECK_AGAIN_AFTER_MS = 500;
const REMEMBERED_TOKENS = 10_000;
const LAST_USE_STEP_MS = 60_000;

/**
 * Identifies the caller by the `Authorization` header of a request or, without one, by the value of its session cookie.
 * Throws 401 for unusable tokens. Callers with an unknown or expired session are anonymous.
 */
export interface Authenticate {
  (authorization: string | undefined, session?: string | undefined): Promise<Actor>;
  /** The caller of a token that this process remembers, without a promise. Undefined if it has to be looked up. */
  now(authorization: string): Actor | undefined;
  /** Whether this process has ever seen the token as valid, so that it is not a guess. */
  hasSeen(authorization: string | undefined): boolean;
  /** The same for SCIM, which takes tokens of its own: they are valid nowhere else, and no other token is valid there. */
  readonly provisioners: Pick<Authenticate, 'hasSeen'> & ((authorization: string | undefined) => Promise<Actor>);
}

/**
 * The stored form of a token. Versions that do not know scopes hash restricted tokens in another way, so that these are not valid
 * there without their restriction.
 */
export const hashToken = (token: string) =>
  hash('sha256', token.startsWith(SCOPED_PREFIX) ? `scoped ${token}` : token, 'buffer');

/** A new token: the prefix and 32 random bytes. */
export const makeToken = ({ isRestricted = false } = {}) =>
  `${isRestricted ? SCOPED_PREFIX : TOKEN_PREFIX}${randomBytes(32).toString('base64url')}`;

/** The stored form of a SCIM token. It is not the form of other tokens, so that neither is valid as the other. */
export const hashScimToken = (token: string) => hash('sha256', `scim ${token}`, 'buffer');

/** A new SCIM token: the prefix and 32 random bytes. */
export const makeScimToken = () => `${SCIM_PREFIX}${randomBytes(32).toString('base64url')}`;

/** What was read for a token, or that it was revoked. */
type Known = ReadCaller | 'revoked';

interface ReadCaller {
  actor: Actor;
  /** When the statement that read it began, by the clock of the service. */
  readAt: number;
  /** When it must be read again, or when the token expires, by the clock of the service. */
  until: number;
  /** When it must be read again, by the monotonic clock. */
  monotonicUntil: number;
}

/** The clock of the service can be set back; the monotonic clock can stand still while the machine sleeps. So both decide. */
const isCurrent = ({ readAt, until, monotonicUntil }: ReadCaller, now: number): boolean =>
  readAt <= now && now < until && performance.now() < monotonicUntil;

const knownTokens = new WeakMap<Services, LRUCache<string, Known>>();

/** The stored form of the value of a session cookie. It is not the form of a token, so that neither is valid as the other. */
export const hashSession = (secret: string) => hash('sha256', `session ${secret}`, 'buffer');

/** A new value of a session cookie: 32 random bytes. */
export const makeSessionSecret = () => randomBytes(32).toString('base64url');

/** Makes this process reject a revoked token or an ended session at once, even for requests that are looking it up. */
export function forgetToken(services: Services, hash: Buffer): void {
  knownTokens.get(services)?.set(keyOf(hash), 'revoked');
}

/**
 * Authenticates bearer tokens (RFC 6750) and sessions. Valid ones are cached until they expire, and for four seconds at
 * most, so that no operation begins with a token that another process revoked five seconds before. The time of last use is
 * updated at most once a minute. Site tokens are checked with every request.
 */
export function makeAuthenticate(services: Services): Authenticate {
  const cache = new LRUCache<string, Known>({ max: REMEMBERED_TOKENS });
  knownTokens.set(services, cache);

  const actorBy = async (hashed: Buffer, find: typeof findToken): Promise<Actor | undefined> => {
    const key = keyOf(hashed);
    const now = services.clock().getTime();
    const remembered = cache.get(key);
    if (remembered === 'revoked') return undefined;
    if (remembered && isCurrent(remembered, now)) return remembered.actor;
    const monotonicUntil = performance.now() + REMEMBERED_MS;
    const match = await find(services, hashed, now);
    if (!match || cache.get(key) === 'revoked') return undefined;
    const until = Math.min(now + REMEMBERED_MS, match.expiresAt);
    cache.set(key, { actor: match.actor, readAt: now, until, monotonicUntil });
    return match.actor;
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
    if (!actor) throw unusable();
    return actor;
  };
  const hasSeen = (authorization: string | undefined) => {
    const token = authorization === undefined ? undefined : tokenIn(authorization);
    return authorization === undefined || (token !== undefined && cache.get(keyOf(hashToken(token))) !== undefined);
  };
  const now = (authorization: string) => {
    const token = tokenIn(authorization);
    const remembered = token === undefined ? undefined : cache.get(keyOf(hashToken(token)));
    if (remembered === undefined || remembered === 'revoked') return undefined;
    return isCurrent(remembered, services.clock().getTime()) ? remembered.actor : undefined;
  };
  const provisioner = async (authorization: string | undefined) => {
    const token = authorization === undefined ? undefined : tokenIn(authorization);
    const actor = token === undefined ? undefined : await actorBy(hashScimToken(token), findProvisioner);
    if (!actor) throw noProvisioner();
    return actor;
  };
  const provisioners = Object.assign(provisioner, {
    hasSeen: (authorization: string | undefined) => {
      const token = authorization === undefined ? undefined : tokenIn(authorization);
      return token !== undefined && cache.get(keyOf(hashScimToken(token))) !== undefined;
    },
  });
  return Object.assign(authenticate, { hasSeen, now, provisioners });
}

const tokenIn = (authorization: string) => /^Bearer +([^\s]+) *$/i.exec(authorization)?.[1];

const keyOf = (hash: Buffer) => hash.toString('base64');

const unusable = () => unauthenticated('The access token is invalid, revoked or expired.');

/** The same for tokens of other organizations and organizations that do not exist. */
export const noProvisioner = () =>
  unauthenticated('The SCIM token is missing, revoked or expired, or is not of this organization.');

/** A caller, and the end of validity in milliseconds. */
interface Found {
  actor: Actor;
  expiresAt: number;
}

async function findToken({ db }: Services, hash: Buffer, now: number): Promise<Found | undefined> {
  const row = await db
    .selectFrom('api_token')
    .innerJoin('user', 'user.id', 'api_token.userId')
    .leftJoin('saml_provider as sp', 'sp.id', 'api_token.samlProviderId')
    .where('secretHash', '=', hash)
    .select(['api_token.id as tokenId', 'userId', 'expiresAt', 'lastUsedAt', 'isOperator', 'scopes'])
    .select(['samlProviderId', 'sp.organizationId'])
    .executeTakeFirst();
  const expiresAt = row?.expiresAt ? Date.parse(row.expiresAt) : Number.POSITIVE_INFINITY;
  const actor = row && expiresAt > now ? actorOf(row, 'token') : undefined;
  if (!row || !actor) return undefined;
  if (isLastUseOld(row, now)) {
    const lastUsedAt = new Date(now).toISOString();
    await db.updateTable('api_token').set({ lastUsedAt }).where('id', '=', row.tokenId).execute();
  }
  return { actor, expiresAt };
}

const findAnyToken = async (services: Services, hash: Buffer, now: number) =>
  (await findToken(services, hash, now)) ?? findOAuthToken(services, hash, now);

/**
 * An access token of an application. It has the scopes and reaches the organizations and spaces that the user granted, is never one of
 * an operator, and counts as one caller with the other tokens of its grant. One that was connected in an SSO session ends
 * with the identity provider.
 */
async function findOAuthToken({ db, config }: Services, hash: Buffer, now: number): Promise<Found | undefined> {
  const row = await db
    .selectFrom('oauth_record as r')
    .innerJoin('oauth_grant as g', 'g.id', 'r.grantId')
    .innerJoin('user', 'user.id', 'g.userId')
    .leftJoin('saml_provider as sp', 'sp.id', 'g.samlProviderId')
    .where('r.type', '=', 'AccessToken')
    .where('r.idHash', '=', hash.toString('hex'))
    .select(['g.id as grantId', 'g.userId', 'g.clientName', 'g.lastUsedAt', 'g.expiresAt as grantEnds'])
    .select([
      'r.expiresAt',
      'r.scopes',
      'r.audience',
      'g.organizationIds',
      'g.spaceIds',
      'g.samlProviderId',
      'sp.organizationId',
    ])
    .executeTakeFirst();
  if (!row || audienceNamed(config.publicUrl, row.audience ?? '') === undefined) return undefined;
  const expiresAt = Math.min(Date.parse(row.expiresAt), Date.parse(row.grantEnds));
  if (expiresAt <= now) return undefined;
  const { userId, grantId, scopes, organizationIds, spaceIds } = row;
  const sso = ssoBy(row);
  if (sso === 'ended') return undefined;
  if (isLastUseOld(row, now)) {
    const lastUsedAt = new Date(now).toISOString();
    await db.updateTable('oauth_grant').set({ lastUsedAt }).where('id', '=', grantId).execute();
  }
  const api = apiOfAudience(config.publicUrl, row.audience ?? '');
  const actor: Actor = {
    kind: 'user',
    userId,
    isOperator: false,
    by: 'token',
    tokenId: grantId,
    application: { grantId, name: row.clientName },
    scopes: scopes ?? [],
    ...(sso ? { sso } : organizationIds && { organizationIds }),
    ...(spaceIds && { spaceIds }),
    ...(api && { api }),
  };
  return { actor, expiresAt };
}

async function findProvisioner({ db }: Services, hash: Buffer, now: number): Promise<Found | undefined> {
  const row = await db
    .selectFrom('scim_token')
    .where('secretHash', '=', hash)
    .select(['id', 'organizationId', 'expiresAt', 'lastUsedAt'])
    .executeTakeFirst();
  const expiresAt = row?.expiresAt ? Date.parse(row.expiresAt) : Number.POSITIVE_INFINITY;
  if (!row || expiresAt <= now) return undefined;
  if (isLastUseOld(row, now)) {
    const lastUsedAt = new Date(now).toISOString();
    await db.updateTable('scim_token').set({ lastUsedAt }).where('id', '=', row.id).execute();
  }
  const { id: scimTokenId, organizationId } = row;
  return { actor: { kind: 'provisioner', organizationId, scimTokenId }, expiresAt };
}

/** A session that was started with an access token acts as the token, and is not found once that is revoked. */
async function findSession({ db }: Services, hash: Buffer, now: number): Promise<Found | undefined> {
  const row = await db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.userId')
    .leftJoin('saml_provider as sp', 'sp.id', 'session.samlProviderId')
    .leftJoin('api_token as t', 't.id', 'session.apiTokenId')
    .where('session.secretHash', '=', hash)
    .where((row) => row.or([row('session.apiTokenId', 'is', null), row('t.id', 'is not', null)]))
    .select(['session.userId', 'session.expiresAt', 'isOperator', 'session.samlProviderId', 'sp.organizationId'])
    .select(['session.apiTokenId as tokenId', 't.scopes', 'session.id', 'session.lastUsedAt'])
    .executeTakeFirst();
  const actor = row && actorOf(row, row.tokenId === null ? 'session' : 'token');
  const expiresAt = Date.parse(row?.expiresAt ?? '');
  if (!actor || !(expiresAt > now)) return undefined;
  const sessionId = isLastUseOld(row, now) ? await useSession(db, hash, now) : row.id;
  return { actor: { ...actor, ...(sessionId !== null && { sessionId }) }, expiresAt };
}

/** Sessions from before they had an id have not been used since. */
const isLastUseOld = ({ lastUsedAt }: { lastUsedAt: string | null }, now: number) =>
  lastUsedAt === null || now - Date.parse(lastUsedAt) > LAST_USE_STEP_MS;

/** Stores the time of the last use, and an id where there is none. Returns the id, or null if the session has just ended. */
async function useSession(db: Database, hash: Buffer, now: number): Promise<string | null> {
  const used = await db
    .updateTable('session')
    .where('secretHash', '=', hash)
    .set({ lastUsedAt: new Date(now).toISOString(), id: sql<string>`coalesce(id, ${newId('session')})` })
    .returning('id')
    .executeTakeFirst();
  return used?.id ?? null;
}

type UserActor = Extract<Actor, { kind: 'user' }>;

interface Credential {
  userId: string;
  isOperator: boolean;
  tokenId: string | null;
  /** Null if the token is not restricted, or there is none. */
  scopes: Scope[] | null;
  samlProviderId: string | null;
  /** Of the identity provider. Null if it was deleted, which ends what it vouched for. */
  organizationId: string | null;
}

function actorOf(
  { userId, isOperator, tokenId, scopes, samlProviderId, organizationId }: Credential,
  by: 'token' | 'session',
): UserActor | undefined {
  const user = {
    kind: 'user' as const,
    userId,
    by,
    ...(tokenId !== null && { tokenId }),
    ...(scopes !== null && { scopes }),
  };
  // A restricted token must not reach beyond its scopes by what operators can do.
  const sso = ssoBy({ samlProviderId, organizationId });
  if (sso === 'ended') return undefined;
  return sso ? { ...user, isOperator: false, sso } : { ...user, isOperator: isOperator && scopes === null };
}

/** The sign-in that a credential was made in. Undefined without SSO. */
function ssoBy({
  samlProviderId,
  organizationId,
}: Pick<Credential, 'samlProviderId' | 'organizationId'>): SsoSignIn | 'ended' | undefined {
  if (samlProviderId === null) return undefined;
  return organizationId === null ? 'ended' : { organizationId, samlProviderId };
}
