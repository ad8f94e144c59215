/** Limits of JSON bodies, far above what clients send. */
export const JSON_LIMITS = {
  /** Nesting of objects and lists. A document can be nested 64 blocks deep, with two levels each. */
  depth: 256,
  /** Total number of properties and list items. */
  values: 300_000,
  /** Number of distinct property names. Distinct names are expensive to parse, repeated ones are not. */
  names: 5_000,
  /** Size of a property name in bytes. */
  nameBytes: 65_536,
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;

/** Receives the structure of a JSON text: the positions of its characters outside of strings, in order. */
export interface StructureReader {
  /** `[` or `{`. `depth` counts from 1. */
  opened(at: number, depth: number): void;
  /** `]` or `}`, which can be of another kind than what was opened. */
  closed(at: number, depth: number): void;
  /** A comma within `depth` levels. */
  separated(at: number, depth: number): void;
}

/**
 * Scans a JSON text in UTF-8 for its limits and its structure. Runs in linear time without recursion. Does not validate
 * the JSON, but of a valid text the structure is right.
 */
export class JsonScan {
  /** The limit that the text exceeds, as the end of a sentence. */
  excess: string | undefined;
  readonly #bytes: Buffer;
  readonly #reader: StructureReader | undefined;
  readonly #names = new Set<number>();
  #at = 0;
  /** Start of the string that the scan is in, or -1. */
  #stringStart = -1;
  #depth = 0;
  #values = 0;

  constructor(bytes: Buffer, reader?: StructureReader) {
    this.#bytes = bytes;
    this.#reader = reader;
  }

  /** Whether all brackets and strings so far are closed. */
  get isBalanced(): boolean {
    return this.#depth === 0 && this.#stringStart < 0;
  }

  /** Scans about `count` more bytes. False at the end of the text or when it exceeds a limit. */
  advance(count: number): boolean {
    const bytes = this.#bytes;
    const until = Math.min(bytes.length, this.#at + count);
    while (this.#at < until && this.excess === undefined) {
      if (this.#stringStart >= 0) this.#continueString(until);
      else if (bytes[this.#at] === QUOTE) this.#stringStart = this.#at++;
      else this.#readStructure(bytes[this.#at] ?? 0, this.#at++);
    }
    return this.#at < bytes.length && this.excess === undefined;
  }

  #readStructure(byte: number, at: number): void {
    if (byte === COMMA) {
      this.#values++;
      this.#reader?.separated(at, this.#depth);
    } else if (isOpening(byte)) {
      this.#depth++;
      this.#values++;
      if (this.#depth > JSON_LIMITS.depth) {
        this.excess = `is nested too deeply: at most ${JSON_LIMITS.depth} levels are allowed`;
      } else this.#reader?.opened(at, this.#depth);
    } else if (isClosing(byte)) {
      this.#reader?.closed(at, this.#depth);
      this.#depth--;
    }
    if (this.#values > JSON_LIMITS.values) this.excess = sentence(JSON_LIMITS.values, 'properties and items');
  }

  /** Goes on to the end of the string, or beyond `until`. */
  #continueString(until: number): void {
    const bytes = this.#bytes;
    // Most strings are short, and short steps are faster for them than a search.
    const near = Math.min(until, this.#at + SHORT);
    while (this.#at < near && bytes[this.#at] !== QUOTE) this.#at += bytes[this.#at] === BACKSLASH ? 2 : 1;
    if (this.#at >= until) return;
    const quote = bytes.indexOf(QUOTE, this.#at);
    let first = quote;
    while (first > this.#at && bytes[first - 1] === BACKSLASH) first--;
    if (quote < 0) this.#at = bytes.length;
    // An odd number of backslashes escapes the quote.
    else if ((quote - first) % 2 === 1) this.#at = quote + 1;
    else this.#endString(quote);
  }

  #endString(end: number): void {
    if (isName(this.#bytes, end)) this.#addName(end);
    this.#stringStart = -1;
    this.#at = end + 1;
  }

  #addName(end: number): void {
    if (end - this.#stringStart - 1 > JSON_LIMITS.nameBytes) {
      this.excess = `has a property name that is too long: at most ${JSON_LIMITS.nameBytes} bytes are allowed`;
      return;
    }
    this.#names.add(hashOf(this.#bytes, this.#stringStart, end));
    if (this.#names.size > JSON_LIMITS.names) this.excess = sentence(JSON_LIMITS.names, 'distinct property names');
  }
}

/** The limit that a JSON text in UTF-8 exceeds, as the end of a sentence, or undefined. */
export function jsonExcess(bytes: Buffer): string | undefined {
  const scan = new JsonScan(bytes);
  scan.advance(bytes.length);
  return scan.excess;
}

const sentence = (max: number, what: string) => `has too many ${what}: at most ${max} are allowed`;

const isOpening = (byte: number) => byte === 0x7b || byte === 0x5b;

const isClosing = (byte: number) => byte === 0x7d || byte === 0x5d;

const SHORT = 64;

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
