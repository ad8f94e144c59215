import { hkdfSync, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<Buffer, Buffer, number, Buffer>(scrypt);

const BYTES = 32;

/**
 * A fingerprint tells whether a key is the one of a database. It neither reveals the key nor helps to guess a weak one: it
 * is derived from a key of its own (RFC 5869) by scrypt (RFC 7914, 16 MB and some 40 ms for each guess), with a salt.
 */
export const fingerprintOf = (secretKey: string, salt: Buffer): Promise<Buffer> =>
  derive(Buffer.from(hkdfSync('sha256', secretKey, '', 'stemma fingerprint', BYTES)), salt, BYTES);

export const newSalt = (): Buffer => randomBytes(16);
