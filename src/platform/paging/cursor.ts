import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { badInput } from '../errors/errors.ts';
import { keysToTry, type SecretKeys } from '../secret-key/secrets.ts';

/** Encodes and decodes cursors of one list with one set of arguments. */
export interface CursorCodec {
  encode(values: readonly unknown[]): string;
  /** The values of the sort key. BAD_USER_INPUT at `path` if the cursor is invalid or of another list or arguments. */
  decode(cursor: string, path: string[]): unknown[];
}

/** Length of the signature: 72 bits, which base64url represents without a rest. */
const SIGNATURE_BYTES = 9;
const SIGNATURE_LENGTH = (SIGNATURE_BYTES / 3) * 4;

/** Where cursors are put together. A buffer for each edge of a page would cost more than its hash. */
const scratch = Buffer.alloc(2_048);

/** Bytes that a UTF-16 unit takes at most in UTF-8. */
const MAX_UNIT_BYTES = 3;

/**
 * Cursors are base64url of a signature and the values of the sort key as JSON. The signature covers the name and the
 * arguments of the list, so that cursors cannot be forged or used for another list.
 */
export function cursorCodec(keys: SecretKeys, binding: string, length: number): CursorCodec {
  const encodeIn = encoder(keys.current, binding);
  return {
    encode(values) {
      const json = JSON.stringify(values);
      const most = SIGNATURE_BYTES + MAX_UNIT_BYTES * json.length;
      return encodeIn(most <= scratch.length ? scratch : Buffer.alloc(most), json);
    },
    decode(cursor, path) {
      const body = cursor.slice(SIGNATURE_LENGTH);
      const bytes = Buffer.from(body, 'base64url');
      const json = bytes.toString();
      const isOf = (key: string) =>
        isEqual(cursor, encoder(key, binding)(Buffer.alloc(SIGNATURE_BYTES + bytes.length), json));
      const isOurs = bytes.toString('base64url') === body && keysToTry(keys).some(isOf);
      const values: unknown = isOurs ? JSON.parse(json) : undefined;
      if (Array.isArray(values) && values.length === length) return values;
      throw badInput(
        path,
        'Invalid cursor. Cursors are only valid for the same list with the same arguments.',
        'INVALID_CURSOR',
      );
    },
  };
}

/** Signs and encodes the values of a list as JSON, within the bytes of a buffer. */
function encoder(secret: string, binding: string): (bytes: Buffer, json: string) => string {
  let key: string | undefined;
  // A hash with a key in front, faster than HMAC for the many edges of a page. It cannot be extended to longer values,
  // as whole hashes of this kind can, since most of it is cut off.
  const digest = (json: string): string => {
    key ??= createHmac('sha256', secret).update(`cursor\0${binding}`).digest('base64url');
    return hash('sha256', key + json, 'binary'); // Latin-1, by its former name
  };
  return (bytes, json) => {
    bytes.write(digest(json), 0, SIGNATURE_BYTES, 'latin1');
    const length = bytes.write(json, SIGNATURE_BYTES);
    return bytes.toString('base64url', 0, SIGNATURE_BYTES + length);
  };
}

/** Compares in constant time for texts of the same length. */
function isEqual(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
