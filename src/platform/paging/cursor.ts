import { createHmac, timingSafeEqual } from 'node:crypto';
import { badInput } from '../errors.ts';

/** Makes and reads cursors of one list with one set of arguments. */
export interface CursorCodec {
  encode(values: readonly unknown[]): string;
  /** The values, or a refusal that names the argument: the cursor is mangled, or of another list or other arguments. */
  decode(cursor: string, path: string[]): unknown[];
}

const SIGNATURE_BYTES = 9;

/**
 * Cursors are base64url of a signature and the sort key's values as JSON. The signature covers the list's name and its
 * arguments, so a cursor cannot be used on another list, and cannot be made up.
 */
export function cursorCodec(secret: string, binding: string, length: number): CursorCodec {
  const sign = (json: string) =>
    createHmac('sha256', secret).update(`cursor\0${binding}\0${json}`).digest().subarray(0, SIGNATURE_BYTES);

  return {
    encode(values) {
      const json = JSON.stringify(values);
      return Buffer.concat([sign(json), Buffer.from(json)]).toString('base64url');
    },
    decode(cursor, path) {
      const bytes = Buffer.from(cursor, 'base64url');
      const json = bytes.subarray(SIGNATURE_BYTES).toString();
      const signature = bytes.subarray(0, SIGNATURE_BYTES);
      const isWhole = signature.length === SIGNATURE_BYTES && bytes.toString('base64url') === cursor;
      const isOurs = isWhole && timingSafeEqual(signature, sign(json));
      const values: unknown = isOurs ? JSON.parse(json) : undefined;
      if (Array.isArray(values) && values.length === length) return values;
      throw badInput(path, 'This cursor was not made by this list with these arguments; start again without one.');
    },
  };
}
