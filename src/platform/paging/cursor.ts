import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { badInput } from '../errors.ts';

/** Makes and reads cursors of one list with one set of arguments. */
export interface CursorCodec {
  encode(values: readonly unknown[]): string;
  /** The values, or a apiError that names the argument: the cursor is mangled, or of another list or other arguments. */
  decode(cursor: string, path: string[]): unknown[];
}

/** Of base64url: 72 bits. */
const SIGNATURE_LENGTH = 12;

/**
 * Cursors are base64url of a signature and the sort key's values as JSON. The signature covers the list's name and its
 * arguments, so a cursor cannot be used on another list, and cannot be made up.
 */
export function cursorCodec(secret: string, binding: string, length: number): CursorCodec {
  let key: string | undefined;
  // Hashed twice behind a key, as HMAC does (RFC 2104), without its object for every edge of every page.
  const sign = (json: string): string => {
    key ??= createHmac('sha256', secret).update(`cursor\0${binding}`).digest('base64url');
    return hash('sha256', key + hash('sha256', key + json), 'base64url').slice(0, SIGNATURE_LENGTH);
  };

  return {
    encode(values) {
      const json = JSON.stringify(values);
      return sign(json) + Buffer.from(json).toString('base64url');
    },
    decode(cursor, path) {
      const body = cursor.slice(SIGNATURE_LENGTH);
      const bytes = Buffer.from(body, 'base64url');
      const json = bytes.toString();
      const isOurs = bytes.toString('base64url') === body && isEqual(cursor.slice(0, SIGNATURE_LENGTH), sign(json));
      const values: unknown = isOurs ? JSON.parse(json) : undefined;
      if (Array.isArray(values) && values.length === length) return values;
      throw badInput(path, 'This cursor was not made by this list with these arguments; start again without one.');
    },
  };
}

/** Takes the same time for every text of one length. */
function isEqual(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
