import { sql } from 'kysely';
import { hashSession, makeSessionSecret } from '../../../../platform/access/credentials.ts';
import { type Context, nowOf } from '../../../../platform/context/context.ts';
import { recordEvent } from '../../../../platform/events/record-event.ts';
import { newId } from '../../../../platform/ids/ids.ts';
import { transact } from '../../../../platform/operation/transact.ts';
import { lineFrom } from '../../../../platform/shapes/cut-text.ts';
import { recordAccountEvent } from '../../access/index.ts';
import { startSession } from '../../sessions/index.ts';
import type { SsoSubject } from '../entity.ts';
import type { FinishedSignIn } from '../finish-sign-in.ts';
import { SignInError } from '../sign-in-error.ts';
import { localPath, SIGN_IN_SECONDS, type SignInStart, type StartedSignIn } from '../start-sign-in.ts';
import { rejectEnded } from './ended-sessions.ts';
import { INSTANCE_ID, instanceProvider, instanceServiceOf } from './instance-provider.ts';
import { readClaims } from './read-claims.ts';
import { isState, NOT_PENDING, redeemCode } from './redeem-code.ts';
import { relyingParty } from './relying-party.ts';
import { authorizationUrl } from './start-oidc-sign-in.ts';

const MAX_NAME = 100;

/**
 * Starts a sign-in with the provider of the whole service, which one response can answer within ten minutes. Throws
 * `SignInError` if the provider cannot be reached, and NOT_FOUND without one.
 */
export async function startInstanceSignIn(
  ctx: Context,
  { returnTo, browserSecret = makeSessionSecret() }: Omit<SignInStart, 'providerId'>,
): Promise<StartedSignIn> {
  const party = await relyingParty(ctx, instanceProvider(ctx.services));
  const { publicUrl } = ctx.services.config;
  const state = makeSessionSecret();
  const redirectTo = await authorizationUrl(party, { state, browserSecret, ...instanceServiceOf(publicUrl) });
  const expiresAt = new Date(Date.parse(nowOf(ctx)) + SIGN_IN_SECONDS * 1_000).toISOString();
  await ctx.db
    .insertInto('oidc_request')
    .values({ id: state, browserHash: hashSession(browserSecret), returnTo: localPath(returnTo, publicUrl), expiresAt })
    .execute();
  return { redirectTo, browserSecret };
}

/** A response of the provider, as a browser brings it. */
export interface InstanceCallback {
  /** The query of the URL that the browser has opened. */
  query: string;
  state: string | undefined;
  browserSecret: string | undefined;
}

/**
 * Accepts the response of the provider of the whole service to a sign-in that is under way in this browser, once, and
 * starts a session of the person's own. The provider must have verified the address. Throws `SignInError`.
 */
export async function acceptInstanceCallback(
  ctx: Context,
  { query, state = '', browserSecret = '' }: InstanceCallback,
): Promise<FinishedSignIn> {
  const { services } = ctx;
  const settings = instanceProvider(services);
  const returnTo = await takeRequest(ctx, state, browserSecret);
  const url = new URL(`${instanceServiceOf(services.config.publicUrl).redirectUrl}?${query}`);
  const party = await relyingParty(ctx, settings);
  const claims = await redeemCode(party, { url, state, browserSecret, claimNames: ['email', 'email_verified'] });
  const { person, providerSession, issuedAt } = readClaims(claims, { groupsClaim: null, groupTeams: null });
  if (claims.email_verified !== true)
    throw new SignInError(
      'The identity provider does not say that it has verified your email address. Verify it there and sign in again.',
    );
  return transact(ctx, async (inside) => {
    await rejectEnded(inside, { providerId: INSTANCE_ID, session: providerSession, issuedAt });
    const userId = await accountOf(inside, person);
    return { ...(await startSession(inside, { userId, providerSession })), returnTo };
  });
}

/** Takes the request that waits for this state in this browser, and returns the path to open. */
async function takeRequest(ctx: Context, state: string, browserSecret: string): Promise<string> {
  if (!isState(state)) throw new SignInError(NOT_PENDING);
  const request = await ctx.db
    .deleteFrom('oidc_request')
    .where('id', '=', state)
    .where('browserHash', '=', hashSession(browserSecret))
    .where('expiresAt', '>', nowOf(ctx))
    .returning('returnTo')
    .executeTakeFirst();
  if (request) return request.returnTo;
  throw new SignInError(NOT_PENDING);
}

/** The account that is remembered for a person, else the one that has verified the address, else a new one. */
async function accountOf(ctx: Context, person: SsoSubject): Promise<string> {
  const { issuer, subject, email } = person;
  // Sign-ins of one person, and with one address, wait for each other.
  for (const key of [`${issuer} ${subject}`, email.toLowerCase()])
    await sql`select pg_advisory_xact_lock(hashtextextended(${`instance sign-in ${key}`}, 0))`.execute(ctx.db);
  const remembered = await ctx.db
    .updateTable('oidc_identity')
    .set({ lastUsedAt: nowOf(ctx) })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .returning('userId')
    .executeTakeFirst();
  if (remembered) return remembered.userId;
  const user = await ctx.db
    .selectFrom('user')
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .select('id')
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!user) return newAccount(ctx, person);
  await rejectOtherPerson(ctx, person, user.id);
  await remember(ctx, person, user.id);
  await recordAccountEvent(ctx, { kind: 'sso_identity_linked', ids: { userId: user.id } });
  return user.id;
}

/** The provider may give the address of a former person to another one, who is not the owner of the account. */
async function rejectOtherPerson({ db }: Context, { issuer }: SsoSubject, userId: string): Promise<void> {
  const other = await db
    .selectFrom('oidc_identity')
    .where('userId', '=', userId)
    .where('issuer', '=', issuer)
    .select('subject')
    .executeTakeFirst();
  if (other)
    throw new SignInError(
      'The account with your email address belongs to another person at the identity provider. Ask an operator of the service.',
    );
}

/** A new account with the address, which the provider of the operator has verified. */
async function newAccount(ctx: Context, person: SsoSubject): Promise<string> {
  const [id, now] = [newId('user'), nowOf(ctx)];
  const { email } = person;
  const displayName = lineFrom(person.displayName ?? email, MAX_NAME);
  await ctx.db.insertInto('user').values({ id, email, displayName, createdAt: now, updatedAt: now }).execute();
  await recordEvent(ctx, { kind: 'user_created', organizationId: null, ids: { userId: id } });
  await remember(ctx, person, id);
  return id;
}

async function remember(ctx: Context, { issuer, subject }: SsoSubject, userId: string): Promise<void> {
  const now = nowOf(ctx);
  await ctx.db
    .insertInto('oidc_identity')
    .values({ issuer, subject, userId, createdAt: now, lastUsedAt: now })
    .execute();
}
