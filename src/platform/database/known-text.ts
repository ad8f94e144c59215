/** Longer texts are not kept, and shorter ones take no more memory than their place. In bytes. */
const MAX_LENGTH = 64;
const MIN_LENGTH = 4;

/** Number of texts that are kept. A power of two. */
const SIZE = 4_096;

/** Number of words of four bytes that a text has. The last one overlaps with the one before it. */
const MAX_WORDS = MAX_LENGTH / 4 + 1;

const NO_BYTES = Buffer.alloc(0);

/**
 * Short texts that were read before, so that those that occur again and again take no memory each time. Each has one place,
 * where a later one replaces it.
 */
class KnownText {
  readonly #texts = new Array<string>(SIZE).fill('');
  /** The bytes of the texts, to be compared four at a time. */
  readonly #words = new Int32Array(SIZE * MAX_WORDS);
  #bytes: Buffer = NO_BYTES;
  #view: DataView = new DataView(NO_BYTES.buffer);

  /** The text that these bytes in UTF-8 are, if it is known. */
  find(bytes: Buffer, start: number, length: number): string | undefined {
    if (length > MAX_LENGTH || length < MIN_LENGTH) return undefined;
    const view = this.#viewOf(bytes);
    const place = placeOf(view, start, length);
    const text = this.#texts[place] as string; // of all places
    if (text.length !== length) return undefined;
    let word = place * MAX_WORDS;
    const last = start + length - 4;
    for (let at = start; at < last; at += 4) if (view.getInt32(at) !== this.#words[word++]) return undefined;
    return view.getInt32(last) === this.#words[word] ? text : undefined;
  }

  /** Keeps a text of these bytes, if it is ASCII: another one has fewer characters than bytes. */
  add(text: string, bytes: Buffer, start: number, length: number): void {
    if (length > MAX_LENGTH || length < MIN_LENGTH || text.length !== length) return;
    const view = this.#viewOf(bytes);
    const place = placeOf(view, start, length);
    this.#texts[place] = text;
    let word = place * MAX_WORDS;
    const last = start + length - 4;
    for (let at = start; at < last; at += 4) this.#words[word++] = view.getInt32(at);
    this.#words[word] = view.getInt32(last);
  }

  /** Most values are of the same chunk as the one before. */
  #viewOf(bytes: Buffer): DataView {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    }
    return this.#view;
  }
}

/** By the end of the text, where IDs differ, its length and its beginning. */
function placeOf(view: DataView, start: number, length: number): number {
  const end = view.getInt32(start + length - 4);
  const before = view.getInt32(start + Math.max(0, length - 8));
  const hash = Math.imul(Math.imul(end, 0x9e3779b1) ^ before ^ length, 0x85ebca6b);
  return (hash ^ (hash >>> 15)) & (SIZE - 1);
}

/** Those of the process. */
export const knownText = new KnownText();
