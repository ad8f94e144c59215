import { type IdPrefix, newId } from '../src/platform/ids/ids.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** An id as it would have been made at a given millisecond, in no particular order among others of the same one. */
export function idAt(prefix: IdPrefix, time: number): string {
  // The first ten characters of a UUIDv7 in base32 are its time.
  const digits = Array.from({ length: 10 }, (_, place) => ALPHABET[Math.floor(time / 32 ** (9 - place)) % 32]);
  return `${prefix}_${digits.join('')}${newId(prefix).slice(-16)}`;
}
