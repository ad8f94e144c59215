import { isTurnOver, makePause } from '../../lib/pause.ts';
import { isRecord, notedWeight, weigh } from '../json-weight.ts';
import { Pieces } from './pieces.ts';

export interface JsonBounds {
  maxBytes: number;
  /** Called if the text exceeds the limit. Throws the error to return instead. */
  tooLong(): never;
  /** Called with the size of each piece in bytes, and between pieces. Can throw to abort. */
  onPiece?(bytes: number): void;
}

/** Size of a piece that is printed at once, in units of `weigh`. Takes less than a millisecond. */
const PIECE = 65_536;
/** Longer strings are printed in parts, in UTF-16 units. */
const STRING_PART = 65_536;

/** After this time, other long responses go on, in milliseconds. */
const SLICE = 2;

/** Up to this weight, a value takes too little memory to count. */
const SHORT = 65_536;
/** Up to this weight, a value is printed at once, in at most a few milliseconds. */
const MEDIUM = 2_097_152;

/** How a value has to be printed: at once and without counting its memory, at once, or in pieces. */
export const lengthOfJson = (value: unknown) => lengthOf(notedWeight(value) ?? weigh(value, MEDIUM));

/** The same for a value that was printed, or for any other body. */
export const lengthOfText = ({ length }: string | Buffer) => lengthOf(length);

function lengthOf(weight: number): 'short' | 'medium' | 'long' {
  if (weight < SHORT) return 'short';
  return weight < MEDIUM ? 'medium' : 'long';
}

/**
 * Prints a value like `JSON.stringify`, in UTF-8, but in pieces between which the event loop runs, so that large
 * responses do not block it. Calls `tooLong` if the result exceeds `maxBytes`.
 */
export async function writeJson(value: unknown, bounds: JsonBounds): Promise<Pieces> {
  const writer = new Writer(bounds);
  await writer.write(value);
  return writer.end();
}

class Writer {
  readonly #bounds: JsonBounds;
  readonly #pieces: Buffer[] = [];
  #text = '';
  #length = 0;
  #began = performance.now();
  readonly #pause = makePause();

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds;
  }

  async write(value: unknown): Promise<void> {
    if (typeof value === 'string') await this.#writeString(value);
    else if (Array.isArray(value)) await this.#writeArray(value);
    else if (isRecord(value)) await this.#writeObject(value);
    else this.#add(JSON.stringify(value) ?? 'null');
  }

  end(): Pieces {
    this.#flush();
    return new Pieces(this.#pieces);
  }

  async #writeArray(items: readonly unknown[]): Promise<void> {
    this.#add('[');
    for (const [index, item] of items.entries()) {
      if (index > 0) this.#add(',');
      await this.#writePart(item);
    }
    this.#add(']');
  }

  async #writeObject(members: Record<string, unknown>): Promise<void> {
    this.#add('{');
    let separator = '';
    for (const name of Object.keys(members)) {
      const value = members[name];
      if (value === undefined || typeof value === 'function' || typeof value === 'symbol') continue;
      this.#add(`${separator}${JSON.stringify(name)}:`);
      await this.#writePart(value);
      separator = ',';
    }
    this.#add('}');
  }

  /** Short parts, which are most, are written without a promise. */
  #writePart(value: unknown): Promise<void> | undefined {
    return this.#isDue() ? this.#rest().then(() => this.#writeNow(value)) : this.#writeNow(value);
  }

  #writeNow(value: unknown): Promise<void> | undefined {
    if (weigh(value, PIECE) >= PIECE) return this.write(value);
    this.#add(JSON.stringify(value) ?? 'null');
    return undefined;
  }

  async #writeString(text: string): Promise<void> {
    this.#add('"');
    for (let start = 0; start < text.length; ) {
      let end = Math.min(start + STRING_PART, text.length);
      // Surrogate pairs must not be split.
      if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end++;
      this.#add(JSON.stringify(text.slice(start, end)).slice(1, -1));
      if (this.#isDue()) await this.#rest();
      start = end;
    }
    this.#add('"');
  }

  #add(text: string): void {
    this.#text += text;
    if (this.#text.length >= STRING_PART) this.#flush();
  }

  #flush(): void {
    if (this.#text === '') return;
    const piece = Buffer.from(this.#text);
    this.#text = '';
    this.#length += piece.length;
    if (this.#length > this.#bounds.maxBytes) this.#bounds.tooLong();
    this.#bounds.onPiece?.(piece.length);
    this.#pieces.push(piece);
  }

  #isDue(): boolean {
    return isTurnOver() || performance.now() - this.#began >= SLICE;
  }

  async #rest(): Promise<void> {
    await this.#pause();
    this.#began = performance.now();
    this.#bounds.onPiece?.(0);
  }
}

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdbff;
