const FIRST_BYTES = 4_096;
/**
 * Once this part of the expected bytes has arrived, memory for all of them is allocated, so that few are copied again.
 */
const CREDIBLE_PART = 1 / 8;

/**
 * Bytes that arrive in pieces, in one buffer. Pieces are copied at once, because a list of them takes more than a
 * hundred bytes for each, and a sender can make every piece one byte long.
 */
export class GrowingBytes {
  readonly #maxBytes: number;
  readonly #reserve: (bytes: number) => boolean;
  readonly #expectedBytes: number;
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;

  /**
   * `reserve` is called before memory is allocated. False means that none is left. `expectedBytes` is the size that the
   * sender has declared, 0 if none.
   */
  constructor(maxBytes: number, reserve: (bytes: number) => boolean, expectedBytes = 0) {
    this.#maxBytes = maxBytes;
    this.#reserve = reserve;
    this.#expectedBytes = expectedBytes;
  }

  get length(): number {
    return this.#length;
  }

  /** The bytes so far. They share the memory. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Appends a piece, with which there are at most `maxBytes`. False if there is no memory for it. */
  add(piece: Buffer): boolean {
    const neededBytes = this.#length + piece.length;
    if (neededBytes > this.#buffer.length && !this.#makeRoom(neededBytes)) return false;
    this.#length += piece.copy(this.#buffer, this.#length);
    return true;
  }

  /** Frees the memory. There are no bytes afterwards. */
  free(): void {
    releaseMemory(this.#buffer);
    this.#buffer = Buffer.alloc(0);
    this.#length = 0;
  }

  #makeRoom(neededBytes: number): boolean {
    const expected = neededBytes >= this.#expectedBytes * CREDIBLE_PART ? this.#expectedBytes : 0;
    const size = Math.min(this.#maxBytes, Math.max(FIRST_BYTES, expected || 2 * this.#buffer.length, neededBytes));
    if (!this.#reserve(size - this.#buffer.length)) return false;
    const larger = Buffer.allocUnsafeSlow(size);
    this.#buffer.copy(larger, 0, 0, this.#length);
    releaseMemory(this.#buffer);
    this.#buffer = larger;
    return true;
  }
}

/**
 * Frees the memory of large bytes at once instead of with the next garbage collection, which megabytes of them would
 * cause. The bytes are empty afterwards. They must own their memory.
 */
export function releaseMemory({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= MIN_RELEASED_BYTES) buffer.transfer(0);
}

/** Smaller memory can be part of Node's pool. */
const MIN_RELEASED_BYTES = 131_072;
