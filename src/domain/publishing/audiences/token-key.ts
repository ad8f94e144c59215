import { hkdfSync } from 'node:crypto';
import type { Services } from '../../../platform/context.ts';

const keys = new WeakMap<Services, Uint8Array>();

/** The key of tokens that read sites: one of its own, so that nothing else that SECRET_KEY signs is a token (RFC 5869). */
export function keyOfTokens(services: Services): Uint8Array {
  const known = keys.get(services);
  if (known) return known;
  const key = new Uint8Array(hkdfSync('sha256', services.secretKey, '', 'stemma site tokens', 32));
  keys.set(services, key);
  return key;
}
