import { type RawBuilder, sql } from 'kysely';
import { ALPHABET, type IdPrefix } from './ids.ts';

/** Characters of an id after its prefix: 130 bits. The first two are zero. */
const ID_CHARACTERS = 26;
const BITS_PER_CHARACTER = 5;

/** `derivedId` in SQL, less than 10 µs each. */
export function derivedIdOf(prefix: IdPrefix, name: RawBuilder<unknown>): RawBuilder<string> {
  const character = (index: number) =>
    sql`substr(${sql.lit(ALPHABET)}, 1 + substring(d.bits from ${sql.lit(1 + index * BITS_PER_CHARACTER)} for ${sql.lit(BITS_PER_CHARACTER)})::int, 1)`;
  const characters = Array.from({ length: ID_CHARACTERS }, (_, index) => character(index));
  return sql<string>`(
    select concat(${sql.lit(`${prefix}_`)}, ${sql.join(characters)})
    from (
      select b'00' || ('x' || encode(substring(sha256(convert_to(${name}, 'UTF8')) from 1 for 16), 'hex'))::bit(128) as bits
      offset 0
    ) d)`;
}
