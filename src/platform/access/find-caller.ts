import { sql } from 'kysely';
import { MINUTE_MS } from '../../lib/durations.ts';
import type { Services } from '../context/services.ts';
import type { Database } from '../database/tables.ts';
import { newId } from '../ids/ids.ts';
import type { Actor, SsoSignIn } from './actor.ts';
import { apiOfAudience, audienceNamed } from './audiences.ts';
import type { Scope } from './scopes.ts';

/** Minimum time between two updates of when a credential was last used. */
const LAST_USE_STEP_MS = MINUTE_MS;

/**
 * A caller, and when its credential expires, in milliseconds since the epoch. The functions that return one find it by
 * the stored form of the credential (`credentials.ts`), and note the use of the credential, at most once a minute. They
 * return undefined if it is unknown or has expired.
 */
export interface FoundCaller {
  actor: Actor;
  expiresAt: number;
}

/** A personal access token. */
export async function findToken({ db }: Services, hash: Buffer, now: number): Promise<FoundCaller | undefined> {
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
  if (isLastUseOld(row, now)) await noteUse(db, 'api_token', row.tokenId, now);
  return { actor, expiresAt };
}

/** A personal access token, or one of an application. */
export const findAnyToken = async (services: Services, hash: Buffer, now: number) =>
  (await findToken(services, hash, now)) ?? findOAuthToken(services, hash, now);

/**
 * An access token of an application. It has the scopes and reaches the organizations and spaces that the user granted,
 * is never one of an operator, and counts as one caller with the other tokens of its grant. One that was connected in
 * an SSO session ends with the identity provider.
 */
async function findOAuthToken({ db, config }: Services, hash: Buffer, now: number): Promise<FoundCaller | undefined> {
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
  if (isLastUseOld(row, now)) await noteUse(db, 'oauth_grant', grantId, now);
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

/** A SCIM token. */
export async function findProvisioner({ db }: Services, hash: Buffer, now: number): Promise<FoundCaller | undefined> {
  const row = await db
    .selectFrom('scim_token')
    .where('secretHash', '=', hash)
    .select(['id', 'organizationId', 'expiresAt', 'lastUsedAt'])
    .executeTakeFirst();
  const expiresAt = row?.expiresAt ? Date.parse(row.expiresAt) : Number.POSITIVE_INFINITY;
  if (!row || expiresAt <= now) return undefined;
  if (isLastUseOld(row, now)) await noteUse(db, 'scim_token', row.id, now);
  const { id: scimTokenId, organizationId } = row;
  return { actor: { kind: 'provisioner', organizationId, scimTokenId }, expiresAt };
}

/** A session that was started with an access token acts as the token, and is not found once that is revoked. */
export async function findSession({ db }: Services, hash: Buffer, now: number): Promise<FoundCaller | undefined> {
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
  return sessionId === null ? undefined : { actor: { ...actor, sessionId }, expiresAt };
}

/** Stores the time of the last use of a credential. */
const noteUse = (db: Database, table: 'api_token' | 'oauth_grant' | 'scim_token', id: string, now: number) =>
  sql`update ${sql.table(table)} set last_used_at = ${new Date(now).toISOString()}::timestamptz where id = ${id}`.execute(
    db,
  );

/** Null if it was never used, or is a session from before sessions had ids. */
const isLastUseOld = ({ lastUsedAt }: { lastUsedAt: string | null }, now: number) =>
  lastUsedAt === null || now - Date.parse(lastUsedAt) > LAST_USE_STEP_MS;

/**
 * Stores the time of the last use, and an id where there is none. Returns the id, or null if the session has just
 * ended.
 */
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
  return organizationId === null ? 'ended' : { organizationId, providerId: samlProviderId };
}
