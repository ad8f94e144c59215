import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/**
 * The secret keys of an installation. `current` encrypts and signs. `previous` is set while `current` replaces it: what
 * it encrypted and signed can still be read and verified.
 */
export interface SecretKeys {
  readonly current: string;
  readonly previous?: string | undefined;
}

/** The keys that can have encrypted or signed a value, the likeliest first. */
export const keysToTry = ({ current, previous }: SecretKeys): string[] =>
  previous === undefined ? [current] : [current, previous];

const FORMAT_VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a secret with AES-256-GCM (NIST SP 800-38D) and a key derived from the current secret key. `place` names the
 * table and id of its row: the secret cannot be decrypted for another row.
 */
export function encryptSecret({ current }: SecretKeys, place: string, secret: string): Buffer {
  return encrypted(current, place, secret, randomBytes(NONCE_BYTES));
}

/** Decrypts a secret. Undefined if it was changed, moved to another row, or encrypted with another key. */
export function decryptSecret(keys: SecretKeys, place: string, stored: Uint8Array): string | undefined {
  for (const key of keysToTry(keys)) {
    const secret = decrypted(key, place, Buffer.from(stored));
    if (secret !== undefined) return secret;
  }
  return undefined;
}

/**
 * Encrypts a text for a URL of this service, in base64url. The same text always has the same form, since the nonce is
 * derived from it: two texts have the same one with a probability of 2^-96.
 */
export function sealText({ current }: SecretKeys, purpose: string, text: string): string {
  const digest = createHmac('sha256', keyOf(current))
    .update(JSON.stringify([purpose, text]))
    .digest();
  return encrypted(current, purpose, text, digest.subarray(0, NONCE_BYTES)).toString('base64url');
}

/** The text of `sealText`. Undefined if it was changed, or encrypted for another purpose or with another key. */
export const openText = (keys: SecretKeys, purpose: string, sealed: string): string | undefined =>
  decryptSecret(keys, purpose, Buffer.from(sealed, 'base64url'));

function encrypted(secretKey: string, place: string, secret: string, nonce: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', keyOf(secretKey), nonce).setAAD(Buffer.from(place));
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(FORMAT_VERSION), nonce, cipher.getAuthTag(), text]);
}

function decrypted(secretKey: string, place: string, stored: Buffer): string | undefined {
  if (stored[0] !== FORMAT_VERSION || stored.length < 1 + NONCE_BYTES + TAG_BYTES) return undefined;
  const nonce = stored.subarray(1, 1 + NONCE_BYTES);
  const tag = stored.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES);
  const text = stored.subarray(1 + NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secretKey), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(place)).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** A derived key, so that signatures made with the secret key reveal nothing about encrypted secrets (RFC 5869). */
function keyOf(secretKey: string): Buffer {
  const cached = derived.get(secretKey);
  if (cached) return cached;
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'stemma stored secrets', 32));
  derived.set(secretKey, key);
  return key;
}

/** A process has one or two keys, and lists decrypt many secrets. */
const derived = new Map<string, Buffer>();
