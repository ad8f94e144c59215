/** The library that verifies what authenticators sign. It is loaded with the first passkey. */
export const webAuthn = () => import('@simplewebauthn/server');

/** Ed25519, ES256 and RS256. Every authenticator has one of them. */
export const ALGORITHMS = [-8, -7, -257];
