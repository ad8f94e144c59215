import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { flatText } from '../../lib/flat-text.ts';
import { badInput } from '../errors.ts';

/** Encodes and decodes cursors of one list with one set of arguments. */
export interface CursorCodec {
  encode(values: readonly unknown[]): string;
  /** The values of the sort key. BAD_USER_INPUT at `path` if the cursor is invalid or of another list or arguments. */
  decode(cursor: string, path: string[]): unknown[];
}

/** Length of the signature in base64url: 72 bits. */
const SIGNATURE_LENGTH = 12;

/**
 * Cursors are base64url of a signature and the values of the sort key as JSON. The signature covers the name and the
 * arguments of the list, so that cursors cannot be forged or used for another list.
 */
export function cursorCodec(secret: string, binding: string, length: number): CursorCodec {
  let key: string | undefined;
  // A hash with a key in front, faster than HMAC for the many edges of a page. It cannot be extended to longer values, as
  // whole hashes of this kind can, since most of it is cut off.
  const sign = (json: string): string => {
    key ??= createHmac('sha256', secret).update(`cursor\0${binding}`).digest('base64url');
    return hash('sha256', key + json, 'base64url').slice(0, SIGNATURE_LENGTH);
  };

  return {
    encode(values) {
      const json = JSON.stringify(values);
      return flatText(sign(json), Buffer.from(json).toString('base64url'));
    },
    decode(cursor, path) {
      const body = cursor.slice(SIGNATURE_LENGTH);
      const bytes = Buffer.from(body, 'base64url');
      const json = bytes.toString();
      const isOurs = bytes.toString('base64url') === body && isEqual(cursor.slice(0, SIGNATURE_LENGTH), sign(json));
      const values: unknown = isOurs ? JSON.parse(json) : undefined;
      if (Array.isArray(values) && values.length === length) return values;
      throw badInput(path, 'Invalid cursor. Cursors are only valid for the same list with the same arguments.');
    },
  };
}

/** Compares in constant time for texts of the same length. */
function isEqual(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
