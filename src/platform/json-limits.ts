/** What a JSON body may have of each. Far beyond what clients send; parsing it stays below a tenth of a second. */
export const JSON_LIMITS = {
  /** Objects and lists inside each other. A document may be 64 blocks deep, each of which is two levels. */
  depth: 256,
  /** Members of objects and items of lists, all together. */
  values: 300_000,
  /** Different names of members. An object is slow to make with many, repeated ones cost next to nothing. */
  names: 5_000,
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;

/**
 * Says what a JSON text in UTF-8 has too much of, before it is parsed. One pass in proportion to its length, without
 * recursion. Whether it is valid JSON is left to the parser.
 */
export function jsonExcess(bytes: Buffer): string | undefined {
  let depth = 0;
  let values = 0;
  const names = new Set<number>();
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const end = endOfString(bytes, at);
      if (isName(bytes, end)) names.add(hashOf(bytes, at, end));
      if (names.size > JSON_LIMITS.names) return sentence(JSON_LIMITS.names, 'distinct property names');
      at = end;
    } else if (isOpening(byte)) {
      depth++;
      values++;
      if (depth > JSON_LIMITS.depth) return `is nested too deeply: at most ${JSON_LIMITS.depth} levels are allowed`;
    } else if (isClosing(byte)) {
      depth--;
    } else if (byte === COMMA) {
      values++;
    }
    if (values > JSON_LIMITS.values) return sentence(JSON_LIMITS.values, 'properties and items');
  }
  return undefined;
}

const sentence = (max: number, what: string) => `has too many ${what}: at most ${max} are allowed`;

const isOpening = (byte: number | undefined) => byte === 0x7b || byte === 0x5b;

const isClosing = (byte: number | undefined) => byte === 0x7d || byte === 0x5d;

/** Strings that are no longer than this are looked through byte by byte, which is faster then. */
const SHORT = 64;

/** The index of the closing quote, or of the last byte where there is none. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  for (; at < bytes.length && at < start + SHORT; at++) {
    if (bytes[at] === QUOTE) return at;
    if (bytes[at] === BACKSLASH) at++;
  }
  for (;;) {
    const quote = bytes.indexOf(QUOTE, at);
    if (quote < 0) return bytes.length - 1;
    let first = quote;
    while (first > at && bytes[first - 1] === BACKSLASH) first--;
    // An odd number of backslashes makes the quote a part of the string.
    if ((quote - first) % 2 === 0) return quote;
    at = quote + 1;
  }
}

/** Whether a colon follows, perhaps behind white space (RFC 8259, 2). */
function isName(bytes: Buffer, end: number): boolean {
  for (let at = end + 1; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return byte === COLON;
  }
  return false;
}

/** FNV-1a in 32 bits. Names of one hash count as one, which only ever allows a little more. */
function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return hash;
}
