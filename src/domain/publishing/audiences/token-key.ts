import { hkdfSync } from 'node:crypto';
import { type JWTPayload, jwtVerify } from 'jose';
import type { Services } from '../../../platform/context/services.ts';
import { keysToTry } from '../../../platform/secret-key/secrets.ts';

/** The algorithm of tokens that read sites. */
export const ALGORITHM = 'HS256';

/** The key that signs tokens that read sites. */
export const keyOfTokens = ({ secretKeys }: Pick<Services, 'secretKeys'>): Uint8Array => derived(secretKeys.current);

const derivedKeys = new Map<string, Uint8Array>();

/** A key of its own for these tokens, so that nothing else that the secret key signs is a token (RFC 5869). */
function derived(secretKey: string): Uint8Array {
  const key = derivedKeys.get(secretKey) ?? new Uint8Array(hkdfSync('sha256', secretKey, '', 'stemma site tokens', 32));
  derivedKeys.set(secretKey, key);
  return key;
}

/** The payload of a token of an audience. Undefined if it is not valid or has expired. */
export async function verifiedToken(
  { secretKeys, clock }: Services,
  token: string,
  audience: string,
): Promise<JWTPayload | undefined> {
  const options = { algorithms: [ALGORITHM], audience, currentDate: clock(), requiredClaims: ['exp'] };
  for (const key of keysToTry(secretKeys)) {
    const verified = await jwtVerify(token, derived(key), options).catch(() => undefined);
    if (verified) return verified.payload;
  }
  return undefined;
}
