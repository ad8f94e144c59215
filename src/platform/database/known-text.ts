/** Longer texts are not kept. In bytes. */
const MAX_LENGTH = 64;

/** Number of texts that are kept. A power of two. */
const SIZE = 4_096;

/** Number of bytes at the end of a text that its place depends on. IDs differ there. */
const HASHED = 6;

/**
 * Short texts that were read before, so that those that occur again and again take no memory each time. Each has one place,
 * where a later one replaces it.
 */
class KnownText {
  readonly #texts = new Array<string>(SIZE).fill('');

  /** The text that these bytes in UTF-8 are, if it is known. */
  find(bytes: Buffer, start: number, length: number): string | undefined {
    if (length > MAX_LENGTH) return undefined;
    const text = this.#texts[placeOf(bytes, start, length)] as string; // of all places
    if (text.length !== length) return undefined;
    for (let at = length - 1; at >= 0; at--) if (text.charCodeAt(at) !== bytes[start + at]) return undefined;
    return text;
  }

  /** Keeps a text of these bytes. Only ASCII has one byte for each character, as `find` compares them. */
  add(text: string, bytes: Buffer, start: number, length: number): void {
    if (length <= MAX_LENGTH && text.length === length) this.#texts[placeOf(bytes, start, length)] = text;
  }
}

function placeOf(bytes: Buffer, start: number, length: number): number {
  let hash = length;
  for (let at = Math.max(0, length - HASHED); at < length; at++)
    hash = (Math.imul(hash, 31) + (bytes[start + at] as number)) | 0;
  return hash & (SIZE - 1);
}

/** Those of the process. */
export const knownText = new KnownText();
