import type { IDToken } from 'openid-client';
import { SignInError } from '../sign-in-error.ts';
import { orSignInError, type RelyingParty } from './relying-party.ts';
import { bindingOf } from './start-oidc-sign-in.ts';

/** Claims about a person. Those of the ID token come before those of the UserInfo endpoint. */
export type Claims = Pick<IDToken, 'iss' | 'sub'> & Readonly<Record<string, unknown>>;

/** A response of a provider, and the sign-in that it answers. */
export interface Callback {
  /** The URL that the browser has opened. */
  url: URL;
  state: string;
  browserSecret: string;
  /** Claims without which the UserInfo endpoint is asked. */
  wanted: readonly string[];
}

/**
 * Redeems the code of a response once its state and issuer (RFC 9207) are checked, and returns the claims about the person. The ID
 * token is verified: signature, issuer, audience, times and nonce. Throws `SignInError`.
 */
export const redeemCode = (
  { library, configuration }: RelyingParty,
  { url, state, browserSecret, wanted }: Callback,
): Promise<Claims> =>
  orSignInError(async () => {
    const { nonce, verifier } = bindingOf(browserSecret, state);
    const tokens = await library.authorizationCodeGrant(configuration, url, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new SignInError('The identity provider sent no ID token.');
    const hasAll = wanted.every((name) => claims[name] !== undefined);
    if (hasAll || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
    const more = await library.fetchUserInfo(configuration, tokens.access_token, claims.sub);
    return { ...more, ...claims };
  });
