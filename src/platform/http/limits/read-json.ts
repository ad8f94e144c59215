import type { Yielder } from '../../../lib/tick.ts';
import { JSON_LIMITS, JsonScan, type StructureReader } from './json-scan.ts';

/**
 * Bytes that are scanned or parsed at once, apart from long strings: a few milliseconds. A string of 10 MB takes up to
 * 50.
 */
const PIECE_BYTES = 131_072;

const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const CLOSE_OBJECT = 0x7d;

/** A JSON text that is not valid, or exceeds a limit. The message is the end of a sentence. */
export class JsonFault extends Error {}

/**
 * Parses a JSON text in UTF-8 like `JSON.parse`, within `JSON_LIMITS`, in pieces between which the event loop runs.
 * Throws `JsonFault`. Of properties with the same name, the last one counts.
 */
export async function readJson(bytes: Buffer, yieldTick: Yielder): Promise<unknown> {
  const text = bytes.subarray(BYTE_ORDER_MARK.equals(bytes.subarray(0, 3)) ? 3 : 0);
  const long = new LongValues(text);
  const scan = new JsonScan(text, long);
  while (scan.advance(PIECE_BYTES)) await yieldTick();
  if (scan.excess !== undefined) throw new JsonFault(scan.excess);
  // What does not end would be parsed in one go.
  if (!scan.isBalanced) throw invalid();
  await yieldTick();
  const { root } = long;
  if (!root) return parse(textOf(text, 0, text.length));
  parse(`${textOf(text, 0, root.start)}[]${textOf(text, root.end, text.length)}`); // nothing but whitespace around it
  return new Assembly(text, yieldTick).build(root);
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** A list or object that is longer than a piece, from its bracket to behind the closing one. */
interface LongValue {
  start: number;
  end: number;
  parts: Part[];
}

/** Items or properties without the commas around them; or a single one, whose value is long. */
interface Part {
  from: number;
  to: number;
  inner?: LongValue;
}

/** Finds the long values of a text, and divides lists and objects at commas. */
class LongValues implements StructureReader {
  /** The outermost one. */
  root: LongValue | undefined;
  readonly #bytes: Buffer;
  /** By depth: start of the open container, of its current part, and of its current item. */
  readonly #starts = new Int32Array(JSON_LIMITS.depth + 1);
  readonly #partStarts = new Int32Array(JSON_LIMITS.depth + 1);
  readonly #itemStarts = new Int32Array(JSON_LIMITS.depth + 1);
  readonly #parts: (Part[] | undefined)[] = [];
  /** The long value of the current item. */
  readonly #inner: (LongValue | undefined)[] = [];

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  opened(at: number, depth: number): void {
    this.#starts[depth] = at;
    this.#partStarts[depth] = at + 1;
    this.#itemStarts[depth] = at + 1;
    this.#parts[depth] = undefined;
    this.#inner[depth] = undefined;
  }

  separated(at: number, depth: number): void {
    if (depth < 1) return;
    if (this.#inner[depth] || at - (this.#partStarts[depth] ?? 0) >= PIECE_BYTES) this.#endPart(at, depth);
    this.#itemStarts[depth] = at + 1;
  }

  closed(at: number, depth: number): void {
    if (depth < 1) return;
    const start = this.#starts[depth] ?? 0;
    if (at - start < PIECE_BYTES) return;
    if (this.#bytes[at] !== (this.#bytes[start] === OPEN_LIST ? CLOSE_LIST : CLOSE_OBJECT)) throw invalid();
    this.#endPart(at, depth);
    this.#add({ start, end: at + 1, parts: this.#parts[depth] ?? [] }, depth - 1);
  }

  /** Adds a value within `depth` levels. */
  #add(value: LongValue, depth: number): void {
    if (depth === 0) {
      if (this.root) throw invalid();
      this.root = value;
    } else if (depth > 0) {
      if (this.#inner[depth]) throw invalid();
      this.#inner[depth] = value;
    }
  }

  #endPart(at: number, depth: number): void {
    const from = this.#partStarts[depth] ?? 0;
    const item = this.#itemStarts[depth] ?? 0;
    const inner = this.#inner[depth];
    const parts = this.#parts[depth] ?? [];
    this.#parts[depth] = parts;
    if (inner) {
      if (from < item) parts.push({ from, to: item - 1 });
      parts.push({ from: item, to: at, inner });
    } else parts.push({ from, to: at });
    this.#inner[depth] = undefined;
    this.#partStarts[depth] = at + 1;
  }
}

/** Builds long values from their parts. */
class Assembly {
  readonly #bytes: Buffer;
  readonly #yieldTick: Yielder;

  constructor(bytes: Buffer, yieldTick: Yielder) {
    this.#bytes = bytes;
    this.#yieldTick = yieldTick;
  }

  build(value: LongValue): Promise<unknown> {
    return this.#bytes[value.start] === OPEN_LIST ? this.#list(value) : this.#object(value);
  }

  async #list({ parts }: LongValue): Promise<unknown[]> {
    const list: unknown[] = [];
    for (const part of parts) {
      await this.#yieldTick();
      const items = parse(`[${this.#textOf(part)}]`) as unknown[]; // by its brackets
      if (part.inner ? items.length !== 1 : items.length === 0 && parts.length > 1) throw invalid();
      if (part.inner) list.push(await this.build(part.inner));
      else for (const item of items) list.push(item);
    }
    return list;
  }

  async #object({ parts }: LongValue): Promise<object> {
    const object = {};
    for (const part of parts) {
      await this.#yieldTick();
      const members = parse(`{${this.#textOf(part)}}`) as Record<string, unknown>; // by its brackets
      const names = Object.keys(members);
      if (part.inner ? names.length !== 1 : names.length === 0 && parts.length > 1) throw invalid();
      for (const name of names) define(object, name, part.inner ? await this.build(part.inner) : members[name]);
    }
    return object;
  }

  /** A long value is represented by an empty list, so that what surrounds it is validated. */
  #textOf({ from, to, inner }: Part): string {
    if (!inner) return textOf(this.#bytes, from, to);
    return `${textOf(this.#bytes, from, inner.start)}[]${textOf(this.#bytes, inner.end, to)}`;
  }
}

/** Like `JSON.parse`: also `__proto__` is an ordinary property. */
function define(object: object, name: string, value: unknown): void {
  if (name !== '__proto__') (object as Record<string, unknown>)[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

// Pieces may begin with a character that looks like a byte order mark.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(bytes: Buffer, from: number, to: number): string {
  try {
    return decoder.decode(bytes.subarray(from, to));
  } catch {
    throw new JsonFault('is not valid UTF-8');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid();
  }
}

const invalid = () => new JsonFault('is not valid JSON');
