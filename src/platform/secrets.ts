import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a secret that the service must be able to use again, by AES-256-GCM (NIST SP 800-38D) with a key made of
 * SECRET_KEY. `place` says where it is stored (a table and an id): elsewhere it cannot be decrypted.
 */
export function encryptSecret(secretKey: string, place: string, secret: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secretKey), nonce).setAAD(Buffer.from(place));
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), text]);
}

/** The secret again. Throws when it was changed, moved, or encrypted under another SECRET_KEY. */
export function decryptSecret(secretKey: string, place: string, stored: Buffer): string {
  if (stored[0] !== VERSION) throw new Error(`A secret of ${place} is stored in an unknown form.`);
  const nonce = stored.subarray(1, 1 + NONCE_BYTES);
  const tag = stored.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES);
  const text = stored.subarray(1 + NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secretKey), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(place)).setAuthTag(tag);
  return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
}

/** A key of its own, so that what SECRET_KEY signs tells nothing about what it encrypts (RFC 5869). */
const keyOf = (secretKey: string) => Buffer.from(hkdfSync('sha256', secretKey, '', 'stemma stored secrets', 32));
