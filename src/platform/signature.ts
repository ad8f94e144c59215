import { createHmac, timingSafeEqual } from 'node:crypto';

const BYTES = 16;

/**
 * A signature with the key of this installation: 128 bits of HMAC-SHA-256, in base64url. A signature for one purpose is
 * invalid for others.
 */
export function signatureOf(secretKey: string, purpose: string, ...values: string[]): string {
  const text = JSON.stringify([purpose, ...values]);
  return createHmac('sha256', secretKey).update(text).digest().subarray(0, BYTES).toString('base64url');
}

/** Whether a signature is valid. Compares in constant time. */
export function isSigned(signature: string, secretKey: string, purpose: string, ...values: string[]): boolean {
  const given = Buffer.from(signature);
  const wanted = Buffer.from(signatureOf(secretKey, purpose, ...values));
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
