import { createHmac } from 'node:crypto';
import { makeSessionSecret } from '../../../../platform/access/credentials.ts';
import type { Context } from '../../../../platform/context/context.ts';
import { recordRequest, type SignInStart, type StartedSignIn } from '../start-sign-in.ts';
import { activeOidcProvider, oidcRelyingParty } from './active-oidc-provider.ts';
import { oidcServiceOf } from './oidc-service.ts';
import { type OidcRelyingParty, orSignInError } from './relying-party.ts';

/** What binds the response of a provider to the browser that started the sign-in. */
export interface Binding {
  nonce: string;
  /** Of PKCE (RFC 7636). */
  verifier: string;
}

/**
 * Derives the binding of a sign-in from the cookie of the browser: it is stored nowhere else, and another browser
 * cannot redeem the code.
 */
export function bindingOf(browserSecret: string, state: string): Binding {
  const derived = (purpose: string) =>
    createHmac('sha256', browserSecret).update(`${purpose} ${state}`).digest('base64url');
  return { nonce: derived('oidc nonce'), verifier: derived('oidc verifier') };
}

/**
 * Starts a sign-in with an active OIDC provider, which one response can answer within ten minutes. `returnTo` is the
 * path of this service to open afterwards. Throws `SignInError` if the provider cannot be reached.
 */
export async function startOidcSignIn(
  ctx: Context,
  { providerId, returnTo, browserSecret = makeSessionSecret() }: SignInStart,
): Promise<StartedSignIn> {
  const provider = await activeOidcProvider(ctx, providerId);
  const party = await oidcRelyingParty(ctx, provider);
  const state = makeSessionSecret();
  const { redirectUrl } = oidcServiceOf(ctx.services.config.publicUrl, providerId);
  const redirectTo = await authorizationUrl(party, { state, browserSecret, redirectUrl });
  await recordRequest(ctx, provider, { id: state, returnTo, browserSecret });
  return { redirectTo, browserSecret };
}

/** The URL of the provider with an authentication request: authorization code, PKCE with S256, state and nonce. */
export const authorizationUrl = (
  { library, configuration }: OidcRelyingParty,
  { state, browserSecret, redirectUrl }: { state: string; browserSecret: string; redirectUrl: string },
): Promise<string> =>
  orSignInError(async () => {
    const { nonce, verifier } = bindingOf(browserSecret, state);
    return library.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUrl,
      scope: 'openid email profile',
      state,
      nonce,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).href;
  });
