import { hkdfSync } from 'node:crypto';
import { type JWTPayload, jwtVerify } from 'jose';
import type { Services } from '../../../platform/context.ts';

/** The algorithm of tokens that read sites. */
export const ALGORITHM = 'HS256';

const keys = new WeakMap<Services, Uint8Array>();

/** The key of tokens that read sites: one of its own, so that nothing else that SECRET_KEY signs is a token (RFC 5869). */
export function keyOfTokens(services: Services): Uint8Array {
  const known = keys.get(services);
  if (known) return known;
  const key = new Uint8Array(hkdfSync('sha256', services.secretKey, '', 'stemma site tokens', 32));
  keys.set(services, key);
  return key;
}

/** The payload of a token of an audience. Undefined if it is not valid or has expired. */
export async function verifiedToken(
  services: Services,
  token: string,
  audience: string,
): Promise<JWTPayload | undefined> {
  const verified = await jwtVerify(token, keyOfTokens(services), {
    algorithms: [ALGORITHM],
    audience,
    currentDate: services.clock(),
    requiredClaims: ['exp'],
  }).catch(() => undefined);
  return verified?.payload;
}
