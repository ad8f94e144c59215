import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { Services } from '../../../platform/context/services.ts';
import { siteKeySecret } from '../sites/index.ts';

/** Tolerated difference between the clocks of the issuer and this service, in seconds. */
const CLOCK_SKEW = 60;

/** Maximum length of a visitor's token. */
const MAX_TOKEN = 8_192;

/** A verified token of a visitor. */
export interface VisitorToken {
  signed: JWTPayload;
  /** Id of the key that signed it. */
  keyId: string;
  /** Time until which it is accepted, in seconds. Undefined if it does not expire. */
  expiresAt: number | undefined;
}

/**
 * Verifies a JWT (RFC 7519) that the owner of a site has signed with its key. The algorithm is pinned to HS256 (RFC
 * 8725, section 3.1). `fault` says why a token is not accepted.
 */
export async function verifyVisitorToken(
  services: Services,
  siteId: string,
  token: string,
): Promise<VisitorToken | { fault: string }> {
  if (token.length > MAX_TOKEN) return { fault: `The token is longer than ${MAX_TOKEN} characters.` };
  const auth = await services.db
    .selectFrom('site_auth')
    .where('siteId', '=', siteId)
    .select(['keyId', 'privateKey'])
    .executeTakeFirst();
  if (!auth) return { fault: 'The site has no key yet.' };
  const secret = siteKeySecret.find(services, { siteId, keyId: auth.keyId }, auth.privateKey);
  if (secret === undefined)
    return { fault: 'The key of the site cannot be read. An admin of the site must replace it.' };
  try {
    const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), {
      algorithms: ['HS256'],
      clockTolerance: CLOCK_SKEW,
      currentDate: services.clock(),
    });
    return { signed: payload, keyId: auth.keyId, expiresAt: payload.exp && payload.exp + CLOCK_SKEW };
  } catch (error) {
    if (error instanceof errors.JOSEError) return { fault: FAULTS[error.code] ?? 'The token is not a valid JWT.' };
    throw error;
  }
}

const FAULTS: Readonly<Record<string, string>> = {
  [errors.JWTExpired.code]: 'The token has expired.',
  [errors.JWTClaimValidationFailed.code]: 'A claim of the token is not valid, such as a time that is yet to come.',
  [errors.JOSEAlgNotAllowed.code]: 'The token must be signed with HS256.',
  [errors.JWSSignatureVerificationFailed.code]: 'The token is not signed with the key of the site.',
};
