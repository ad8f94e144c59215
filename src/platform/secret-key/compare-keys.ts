import { hkdfSync, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { KeyRecord } from './key-record.ts';
import type { SecretKeys } from './secrets.ts';

/** The keys of a process and where they are, for messages: `SECRET_KEY`, or a file. */
export interface KeysWithLocation extends SecretKeys {
  location: string;
}

/**
 * How keys relate to the record of a database. `settled`: the current key encrypts everything. `rotating`: the previous
 * one still encrypts some. `begins`: the record names the previous key, which the current one is to replace.
 */
export type KeyComparison = { is: 'settled' | 'rotating' | 'begins' } | { is: 'refused'; reason: string };

/** Compares keys with the record of a database. */
export async function compareKeys(record: KeyRecord, keys: KeysWithLocation): Promise<KeyComparison> {
  const { salt, fingerprint, previousFingerprint } = record;
  const current = await fingerprintOf(keys.current, salt);
  const previous = keys.previous === undefined ? undefined : await fingerprintOf(keys.previous, salt);
  if (current.equals(fingerprint)) {
    if (previousFingerprint === null) return { is: 'settled' };
    return previous?.equals(previousFingerprint) ? { is: 'rotating' } : refused(lacksPrevious(keys));
  }
  if (previous?.equals(fingerprint)) {
    const isFree = previousFingerprint === null || current.equals(previousFingerprint);
    return isFree ? { is: 'begins' } : refused(THIRD);
  }
  if (previousFingerprint !== null && current.equals(previousFingerprint)) return refused(isReplaced(keys));
  return refused(isOther(record, keys));
}

const refused = (reason: string): KeyComparison => ({ is: 'refused', reason });

const lacksPrevious = ({ location }: KeysWithLocation) =>
  `The key in ${location} replaces another one, which still encrypts secrets in this database. Set SECRET_KEY_PREVIOUS to the former key, or put it into DATA_DIR/secret-key-previous, until \`npm run rotate-key\` has ended.`;

const isReplaced = ({ location }: KeysWithLocation) =>
  `The key in ${location} is being replaced: other processes have started with a new one. Set SECRET_KEY to the new key and SECRET_KEY_PREVIOUS to this one.`;

const THIRD =
  'The secret key of this database is being replaced by another new key than SECRET_KEY. Start with that one, and run `npm run rotate-key`, before the key is replaced again.';

const isOther = ({ keptIn: expected, recordedAt }: KeyRecord, { location }: KeysWithLocation) =>
  `The key in ${location} is not the secret key of this database, which was in ${expected} on ${recordedAt.toISOString().slice(0, 10)}. Restore that key: as SECRET_KEY, or as the file secret-key in DATA_DIR. If DATA_DIR or the database was restored, restore both from the same backup. To replace the key, set SECRET_KEY_PREVIOUS to the former one. If the former key is lost, \`npm run rotate-key -- --key-lost\` gives up the secrets that it encrypted.`;

const derive = promisify<Buffer, Buffer, number, Buffer>(scrypt);

const FINGERPRINT_BYTES = 32;

/**
 * A fingerprint tells whether a key is the one of a database. It neither reveals the key nor helps to guess a weak one:
 * it is derived from a key of its own (RFC 5869) by scrypt (RFC 7914, 16 MB and some 40 ms for each guess), with a
 * salt.
 */
export const fingerprintOf = (secretKey: string, salt: Buffer): Promise<Buffer> =>
  derive(
    Buffer.from(hkdfSync('sha256', secretKey, '', 'stemma fingerprint', FINGERPRINT_BYTES)),
    salt,
    FINGERPRINT_BYTES,
  );

export const newSalt = (): Buffer => randomBytes(16);
