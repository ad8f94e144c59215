import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a secret with AES-256-GCM (NIST SP 800-38D) and a key derived from SECRET_KEY. `place` names the table and
 * id of its row: the secret cannot be decrypted for another row.
 */
export function encryptSecret(secretKey: string, place: string, secret: string): Buffer {
  return encrypted(secretKey, place, secret, randomBytes(NONCE_BYTES));
}

/**
 * Encrypts a text for a URL of this service, in base64url. The same text always has the same form, since the nonce is
 * derived from it: two texts have the same one with a probability of 2^-96.
 */
export function sealText(secretKey: string, purpose: string, text: string): string {
  const digest = createHmac('sha256', keyOf(secretKey))
    .update(JSON.stringify([purpose, text]))
    .digest();
  return encrypted(secretKey, purpose, text, digest.subarray(0, NONCE_BYTES)).toString('base64url');
}

/** The text of `sealText`. Undefined if it was changed, or encrypted for another purpose or with another SECRET_KEY. */
export function openText(secretKey: string, purpose: string, sealed: string): string | undefined {
  try {
    return decryptSecret(secretKey, purpose, Buffer.from(sealed, 'base64url'));
  } catch {
    return undefined;
  }
}

function encrypted(secretKey: string, place: string, secret: string, nonce: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', keyOf(secretKey), nonce).setAAD(Buffer.from(place));
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), text]);
}

/** Decrypts a secret. Throws if it was changed, moved to another row, or encrypted with another SECRET_KEY. */
export function decryptSecret(secretKey: string, place: string, stored: Buffer): string {
  if (stored[0] !== VERSION) throw new Error(`A secret of ${place} is stored in an unknown form.`);
  const nonce = stored.subarray(1, 1 + NONCE_BYTES);
  const tag = stored.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES);
  const text = stored.subarray(1 + NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secretKey), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(place)).setAuthTag(tag);
  return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
}

/** A derived key, so that signatures made with SECRET_KEY reveal nothing about encrypted secrets (RFC 5869). */
const keyOf = (secretKey: string) => Buffer.from(hkdfSync('sha256', secretKey, '', 'stemma stored secrets', 32));
