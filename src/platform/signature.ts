import { createHmac, timingSafeEqual } from 'node:crypto';

const BYTES = 16;

/**
 * A signature that only this installation can make: 128 bits of an HMAC with SHA-256, in base64url. The purpose keeps what
 * is signed for one kind of address from being taken for another.
 */
export function signatureOf(secretKey: string, purpose: string, ...values: string[]): string {
  const text = JSON.stringify([purpose, ...values]);
  return createHmac('sha256', secretKey).update(text).digest().subarray(0, BYTES).toString('base64url');
}

/** Whether a text is the signature of these values. Takes the same time whatever is wrong with it. */
export function isSigned(signature: string, secretKey: string, purpose: string, ...values: string[]): boolean {
  const given = Buffer.from(signature);
  const wanted = Buffer.from(signatureOf(secretKey, purpose, ...values));
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
