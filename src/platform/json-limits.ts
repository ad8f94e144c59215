/** Limits of JSON bodies, far above what clients send. Parsing a body within them takes less than 0.1 seconds. */
export const JSON_LIMITS = {
  /** Nesting of objects and lists. A document can be nested 64 blocks deep, with two levels each. */
  depth: 256,
  /** Total number of properties and list items. */
  values: 300_000,
  /** Number of distinct property names. Distinct names are expensive to parse, repeated ones are not. */
  names: 5_000,
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;

/**
 * The limit that a JSON text in UTF-8 exceeds, as the end of a sentence, or undefined. Runs in linear time without
 * recursion. Does not validate the JSON.
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

/** Shorter strings are scanned byte by byte, which is faster for them. */
const SHORT = 64;

/** Index of the closing quote, or of the last byte if there is none. */
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
    // An odd number of backslashes escapes the quote.
    if ((quote - first) % 2 === 0) return quote;
    at = quote + 1;
  }
}

/** Whether a colon follows, after optional whitespace (RFC 8259, 2). */
function isName(bytes: Buffer, end: number): boolean {
  for (let at = end + 1; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return byte === COLON;
  }
  return false;
}

/** FNV-1a in 32 bits. Names with the same hash count as one, so a body may slightly exceed the limit. */
function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return hash;
}
