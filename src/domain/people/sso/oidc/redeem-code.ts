import type { IDToken } from 'openid-client';
import { SignInError } from '../sign-in-error.ts';
import { type OidcRelyingParty, orSignInError } from './relying-party.ts';
import { bindingOf } from './start-oidc-sign-in.ts';

/**
 * Claims about a person. Those of the ID token come before those of the UserInfo endpoint. The address and whether it
 * is verified are from the same source: otherwise, what a provider says about one address could verify another.
 */
export type Claims = Pick<IDToken, 'iss' | 'sub' | 'iat'> & Readonly<Record<string, unknown>>;

/** Whether a text has the form of a state. Others are not looked for. */
export const isState = (text: string): boolean => /^[\w-]{43}$/.test(text);

export const NOT_PENDING =
  'This sign-in was not started in this browser, took too long, or was already completed. Sign in again.';

const ADDRESS = ['email', 'email_verified'] as const;

const hasAddress = (claims: Readonly<Record<string, unknown>>) => ADDRESS.every((name) => claims[name] !== undefined);

/** A response of a provider, and the sign-in that it answers. */
export interface Callback {
  /** The URL that the browser has opened. */
  url: URL;
  state: string;
  browserSecret: string;
  /** Claims without which the UserInfo endpoint is asked. */
  claimNames: readonly string[];
}

/**
 * Redeems the code of a response once its state and issuer (RFC 9207) are checked, and returns the claims about the
 * person. The ID token is verified: signature, issuer, audience, times and nonce. Throws `SignInError`.
 */
export const redeemCode = (
  { library, configuration, hasUserInfo }: OidcRelyingParty,
  { url, state, browserSecret, claimNames }: Callback,
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
    const hasAll = [...claimNames, ...ADDRESS].every((name) => claims[name] !== undefined);
    if (hasAll || !hasUserInfo) return claims;
    const more = await library.fetchUserInfo(configuration, tokens.access_token, claims.sub);
    const { email, email_verified: isVerified } = hasAddress(claims) || more.email === undefined ? claims : more;
    return { ...more, ...claims, email, email_verified: isVerified };
  });
