import type { SsoSignIn } from '../../../platform/access/actor.ts';
import { hashSession, makeSessionSecret } from '../../../platform/access/credentials.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { newId } from '../../../platform/ids/ids.ts';
import { recordAccountEvent } from '../access/index.ts';

const HOUR_SECONDS = 3_600;
const SESSION_SECONDS = 7 * 24 * HOUR_SECONDS;
/** Sign-ins with SSO are repeated daily, so that the identity provider notices who has left. */
const SSO_SESSION_SECONDS = 12 * HOUR_SECONDS;

const MAX_USER_AGENT = 300;

/** A new session. `secret` is the value of the cookie and is not stored. */
export interface StartedSession {
  secret: string;
  maxAgeSeconds: number;
}

/** What a session is started with. */
export interface SessionOrigin {
  userId: string;
  sso?: SsoSignIn;
  /** The session at an OpenID provider, which can tell that it has ended. */
  providerSession?: { issuer: string; subject: string; sid: string | null };
  /** The access token that the session has the rights of. It ends with the token. */
  apiToken?: { id: string; expiresAt: string | null };
}

/**
 * Starts a session of a user, in the transaction of a command. Sessions last seven days, those of SSO twelve hours, and
 * no longer than an access token that they were started with. The transport sends the cookie: `setCookie('session',
 * secret, maxAgeSeconds, config)`.
 */
export async function startSession(
  ctx: Context,
  { userId, sso, providerSession, apiToken }: SessionOrigin,
): Promise<StartedSession> {
  const secret = makeSessionSecret();
  const createdAt = nowOf(ctx);
  const usual = Date.parse(createdAt) + (sso ? SSO_SESSION_SECONDS : SESSION_SECONDS) * 1_000;
  const end = Math.min(usual, Date.parse(apiToken?.expiresAt ?? '') || Number.POSITIVE_INFINITY);
  const maxAgeSeconds = Math.ceil((end - Date.parse(createdAt)) / 1_000);
  await ctx.db
    .insertInto('session')
    .values({
      secretHash: hashSession(secret),
      id: newId('session'),
      userId,
      userAgent: ctx.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
      samlProviderId: sso?.providerId ?? null,
      apiTokenId: apiToken?.id ?? null,
      providerIssuer: providerSession?.issuer ?? null,
      providerSubject: providerSession?.subject ?? null,
      providerSid: providerSession?.sid ?? null,
      createdAt,
      expiresAt: new Date(end).toISOString(),
    })
    .execute();
  const event = { kind: 'session_started' as const, ids: { userId } };
  await recordAccountEvent(
    asUser(ctx, { userId, ...(sso && { sso }), ...(apiToken && { apiToken }) }),
    event,
    sso?.organizationId,
  );
  return { secret, maxAgeSeconds };
}

/** Events of a sign-in have the user as their actor, whom the request does not know yet. */
const asUser = (ctx: Context, { userId, sso, apiToken }: SessionOrigin): Context => ({
  ...ctx,
  actor: {
    kind: 'user',
    userId,
    isOperator: false,
    by: apiToken ? 'token' : 'session',
    ...(apiToken && { tokenId: apiToken.id }),
    ...(sso && { sso }),
  },
});
