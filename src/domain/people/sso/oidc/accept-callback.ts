import { hashSession, makeSessionSecret } from '../../../../platform/access/credentials.ts';
import { type Context, nowOf } from '../../../../platform/context/context.ts';
import { acceptPerson } from '../accept-person.ts';
import { recordRejection } from '../record-rejection.ts';
import { SignInError } from '../sign-in-error.ts';
import { type ActiveOidcProvider, activeOidcProvider, oidcRelyingParty } from './active-oidc-provider.ts';
import { oidcServiceOf } from './oidc-service.ts';
import { readClaims } from './read-claims.ts';
import { isState, NOT_PENDING, redeemCode } from './redeem-code.ts';

/** A response of an OIDC provider, as a browser brings it. */
export interface CallbackRequest {
  oidcProviderId: string;
  /** The query of the URL that the browser has opened. */
  query: string;
  state: string | undefined;
  browserSecret: string | undefined;
}

/**
 * Accepts the response of an OIDC provider to a sign-in that is under way in this browser, once. Returns a code that
 * the same browser can exchange for a session. Throws `SignInError`, which is recorded as an event.
 */
export async function acceptCallback(
  ctx: Context,
  { oidcProviderId, query, state = '', browserSecret = '' }: CallbackRequest,
): Promise<string> {
  const provider = await activeOidcProvider(ctx, oidcProviderId);
  try {
    const requestId = await takeRequest(ctx, provider, state, browserSecret);
    const url = new URL(`${oidcServiceOf(ctx.services.config.publicUrl, oidcProviderId).redirectUrl}?${query}`);
    const claimNames = ['email', ...(provider.groupsClaim === null ? [] : [provider.groupsClaim])];
    const party = await oidcRelyingParty(ctx, provider);
    const claims = await redeemCode(party, { url, state, browserSecret, claimNames });
    const { person, providerSession: session, issuedAt } = readClaims(claims, provider);
    return await acceptPerson(ctx, provider, { requestId, person, atProvider: { session, issuedAt } });
  } catch (error) {
    if (error instanceof SignInError) await recordRejection(ctx, provider, error);
    throw error;
  }
}

/** Takes the request that waits for this state in this browser. It gets another id, so that the state works once. */
async function takeRequest(
  { db, ...ctx }: Context,
  { id: providerId }: ActiveOidcProvider,
  state: string,
  browserSecret: string,
): Promise<string> {
  if (!isState(state)) throw new SignInError(NOT_PENDING);
  const request = await db
    .updateTable('saml_request')
    .set({ id: makeSessionSecret() })
    .where('id', '=', state)
    .where('samlProviderId', '=', providerId)
    .where('browserHash', '=', hashSession(browserSecret))
    .where('codeHash', 'is', null)
    .where('expiresAt', '>', nowOf({ db, ...ctx }))
    .returning('id')
    .executeTakeFirst();
  if (!request) throw new SignInError(NOT_PENDING);
  return request.id;
}
