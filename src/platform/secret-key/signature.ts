import { createHmac, timingSafeEqual } from 'node:crypto';
import { keysToTry, type SecretKeys } from './secrets.ts';

const SIGNATURE_BYTES = 16;

/**
 * A signature with the current key of this installation: 128 bits of HMAC-SHA-256, in base64url. A signature for one
 * purpose is invalid for others.
 */
export const signatureOf = ({ current }: SecretKeys, purpose: string, ...values: string[]): string =>
  signed(current, purpose, values);

/** Whether a signature is valid, of the current key or of the one that it replaces. Compares in constant time. */
export function isSigned(signature: string, keys: SecretKeys, purpose: string, ...values: string[]): boolean {
  const actual = Buffer.from(signature);
  return keysToTry(keys).some((key) => {
    const expected = Buffer.from(signed(key, purpose, values));
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  });
}

function signed(key: string, purpose: string, values: string[]): string {
  const text = JSON.stringify([purpose, ...values]);
  return createHmac('sha256', key).update(text).digest().subarray(0, SIGNATURE_BYTES).toString('base64url');
}
