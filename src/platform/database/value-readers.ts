import { knownText } from './known-text.ts';
import { timeFromPostgres } from './time.ts';
import { getTypeParser } from './value-types.ts';

/** Reads a value in PostgreSQL's text format from its bytes. */
export type ValueReader = (bytes: Buffer, start: number, length: number) => unknown;

/** The reader for a column of a type, by the type's OID. Each column has its own. */
export function valueReader(oid: number): ValueReader {
  const reader = READERS.get(oid);
  if (reader) return reader();
  const parse = getTypeParser(oid);
  return (bytes, start, length) => parse(bytes.toString('utf8', start, start + length));
}

const READERS = new Map<number, () => ValueReader>([
  [16, () => readBoolean], // boolean
  [20, () => readInteger], // bigint, used for counts and sizes far below 2^53
  [21, () => readInteger], // smallint
  [23, () => readInteger], // integer
  [1184, () => readTime], // timestamptz
  [18, textReader], // "char"
  [19, textReader], // name
  [25, textReader], // text
  [1042, textReader], // char
  [1043, textReader], // varchar
]);

const ZERO = 0x30;
const MINUS = 0x2d;
const TRUE = 0x74;

const readBoolean: ValueReader = (bytes, start) => bytes[start] === TRUE;

const readInteger: ValueReader = (bytes, start, length) => {
  const isNegative = bytes[start] === MINUS;
  let value = 0;
  for (let at = isNegative ? start + 1 : start; at < start + length; at++)
    value = value * 10 + ((bytes[at] as number) - ZERO);
  return isNegative ? -value : value;
};

/** Of a text with milliseconds in ISO 8601. */
const time = Buffer.from('2026-01-31T10:00:00.000Z');
const FRACTION = 20;

/** `2026-01-31 10:00:00.5+00`, with up to three digits of a second, is rewritten in its bytes. */
const readTime: ValueReader = (bytes, start, length) => {
  const digits = length === 22 ? 0 : length - 23;
  const isUsual = digits >= 0 && digits <= 3 && bytes[start + 10] === 0x20 && bytes[start + length - 3] === 0x2b;
  if (!isUsual) return timeFromPostgres(bytes.toString('utf8', start, start + length));
  for (let at = 0; at < 10; at++) time[at] = bytes[start + at] as number;
  for (let at = 11; at < 19; at++) time[at] = bytes[start + at] as number;
  for (let at = 0; at < 3; at++) time[FRACTION + at] = at < digits ? (bytes[start + FRACTION + at] as number) : ZERO;
  return time.toString('latin1');
};

/** Columns of texts that differ in all rows are not looked up, except one in so many texts. */
const MISSES = 64;

/** Texts that occur in several rows, such as IDs of what they belong to, are one string in memory. */
function textReader(): ValueReader {
  let misses = 0;
  return (bytes, start, length) => {
    if (misses >= MISSES && (++misses & (MISSES - 1)) !== 0) return bytes.toString('utf8', start, start + length);
    const known = knownText.find(bytes, start, length);
    if (known !== undefined) {
      misses = 0;
      return known;
    }
    misses++;
    const text = bytes.toString('utf8', start, start + length);
    knownText.add(text, bytes, start, length);
    return text;
  };
}
