import { hash } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { type RawBuilder, sql } from 'kysely';
import { type Context, nowOf } from '../../../../platform/context/context.ts';
import { transact } from '../../../../platform/operation/transact.ts';
import { OutboundError } from '../../../../platform/outbound/outbound-error.ts';
import { endProviderSessions } from '../../sessions/index.ts';
import { SignInError } from '../sign-in-error.ts';
import { activeOidcProvider, oidcRelyingParty } from './active-oidc-provider.ts';
import { recordEndedSessions } from './ended-sessions.ts';
import { INSTANCE_ID, instanceProvider } from './instance-provider.ts';
import { isStorable } from './read-claims.ts';
import { CLOCK_SKEW_SECONDS, type OidcRelyingParty, relyingParty } from './relying-party.ts';

/** A logout token is sent as soon as a session ends, so that an older one is a replay. */
const MAX_AGE_SECONDS = 300;

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** Asymmetric algorithms, whose public keys a provider publishes. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

const MAX_CLAIM = 255;

/** What a verified logout token says. */
interface Logout {
  issuer: string;
  subject: string | undefined;
  sid: string | undefined;
  /** In seconds, by the clock of the provider. */
  issuedAt: number;
  jtiHash: Buffer;
}

/**
 * Ends the sessions that a logout token of an organization's provider names (OpenID Connect Back-Channel Logout 1.0),
 * within five seconds in every process. Each token works once. Throws `SignInError` for a token that is not valid, and
 * NOT_FOUND without an active provider.
 */
export async function acceptLogoutToken(ctx: Context, oidcProviderId: string, token: string): Promise<void> {
  const provider = await activeOidcProvider(ctx, oidcProviderId);
  await accept(ctx, { oidcProviderId, party: () => oidcRelyingParty(ctx, provider), token });
}

/** The same for the provider of the whole service. */
export async function acceptInstanceLogout(ctx: Context, token: string): Promise<void> {
  const settings = instanceProvider(ctx.services);
  await accept(ctx, { oidcProviderId: null, party: () => relyingParty(ctx, settings), token });
}

interface Sent {
  /** Null for the provider of the whole service. */
  oidcProviderId: string | null;
  party: () => Promise<OidcRelyingParty>;
  token: string;
}

async function accept(ctx: Context, { oidcProviderId, party, token }: Sent): Promise<void> {
  try {
    const logout = await verifyLogoutToken(ctx, await party(), token);
    await transact(ctx, (inside) => end(inside, oidcProviderId, logout));
  } catch (error) {
    if (error instanceof SignInError)
      ctx.log.warn({ oidcProviderId, reason: error.message }, 'OIDC logout token rejected');
    throw error;
  }
}

/** Verifies a logout token (2.6): signature, issuer, audience, time, event, and that it is no ID token. */
async function verifyLogoutToken(
  { services }: Context,
  { keys, issuer, clientId }: OidcRelyingParty,
  token: string,
): Promise<Logout> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      requiredClaims: ['iat', 'jti', 'events'],
      maxTokenAge: MAX_AGE_SECONDS,
      clockTolerance: CLOCK_SKEW_SECONDS,
      currentDate: services.clock(),
    });
    if (!['logout+jwt', 'jwt', undefined].includes(protectedHeader.typ?.toLowerCase()))
      throw new SignInError('The logout token has an unexpected type.');
    return readLogout(payload, issuer);
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException)
      throw new SignInError(`The logout token is not valid: ${error.message.slice(0, MAX_CLAIM)}`);
    if (error instanceof OutboundError) throw new SignInError(`The keys could not be read: ${error.message}`);
    throw error;
  }
}

const isClaimText = (claim: unknown): claim is string =>
  typeof claim === 'string' && claim !== '' && claim.length <= MAX_CLAIM && isStorable(claim);

function readLogout({ events, nonce, jti, sub, sid, iat }: JWTPayload, issuer: string): Logout {
  const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, LOGOUT_EVENT);
  if (!isLogout) throw new SignInError('The token is not a logout token: it lacks the event.');
  if (nonce !== undefined) throw new SignInError('A logout token must not have a nonce.');
  for (const claim of [jti, sub, sid]) {
    if (claim !== undefined && !isClaimText(claim))
      throw new SignInError(
        'The claims "jti", "sub" and "sid" of a logout token must be texts of up to 255 characters, without control characters.',
      );
  }
  if (sub === undefined && sid === undefined) throw new SignInError('The logout token has neither "sub" nor "sid".');
  return {
    issuer,
    subject: sub,
    sid: sid as string | undefined, // as checked
    issuedAt: iat ?? 0, // required above
    jtiHash: hash('sha256', jti ?? '', 'buffer'),
  };
}

/** The session at the provider, or one of the subject whose `sid` the provider has not told. */
const isOf = (sid: string, subject: string | undefined): RawBuilder<boolean> =>
  subject === undefined
    ? sql<boolean>`provider_session ->> 'sid' = ${sid}`
    : sql<boolean>`coalesce(provider_session ->> 'sid', ${sid}) = ${sid}`;

/** Ends sessions, and sign-ins that would become one. */
async function end(ctx: Context, id: string | null, logout: Logout): Promise<void> {
  const { issuer, subject, sid, issuedAt, jtiHash } = logout;
  const providerId = id ?? INSTANCE_ID;
  const expiresAt = new Date(Date.parse(nowOf(ctx)) + 2 * MAX_AGE_SECONDS * 1_000).toISOString();
  const isNew = await ctx.db
    .insertInto('oidc_logout_token')
    .values({ providerId, jtiHash, expiresAt })
    .onConflict((conflict) => conflict.columns(['providerId', 'jtiHash']).doNothing())
    .returning('providerId')
    .executeTakeFirst();
  if (!isNew) throw new SignInError('This logout token was already used.');
  await recordEndedSessions(ctx, { providerId, issuer, subject, sid, endedAt: issuedAt });
  await ctx.db
    .deleteFrom('saml_request')
    .where('samlProviderId', '=', id)
    .where('codeHash', 'is not', null)
    .$if(subject !== undefined, (requests) => requests.where(sql`provider_session ->> 'subject'`, '=', subject ?? ''))
    .$if(sid !== undefined, (requests) => requests.where(isOf(sid ?? '', subject)))
    .execute();
  await endProviderSessions(ctx, { providerId: id, issuer, subject, sid });
}
