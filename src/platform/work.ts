import { ApiError } from './errors.ts';

/** What one request has under way, and what ends it before it is done. */
export class Work {
  readonly #abort = new AbortController();
  readonly #clientLeft = new AbortController();
  readonly #begun = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #isForClient = false;

  constructor(limitMs: number) {
    this.giveTime(limitMs);
  }

  /** Aborted when the work is to end; its reason is the apiError to answer with. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /**
   * Aborted as well when the client has left, even what writes: for work that has changed nothing yet, and that nobody
   * waits for any more.
   */
  readonly unwanted: AbortSignal = AbortSignal.any([this.#abort.signal, this.#clientLeft.signal]);

  /** Lets it take so many milliseconds in all, counted from its beginning; `Infinity` sets no limit. */
  giveTime(limitMs: number): void {
    clearTimeout(this.#timer);
    if (limitMs === Number.POSITIVE_INFINITY) return;
    const left = Math.max(0, limitMs - (performance.now() - this.#begun));
    this.#timer = setTimeout(() => this.#abort.abort(tooLong(limitMs)), left);
  }

  /** Says that it only reads: without its client nobody has anything of it. */
  readsForClient(): void {
    this.#isForClient = true;
  }

  get hasClientLeft(): boolean {
    return this.#clientLeft.signal.aborted;
  }

  clientLeft(): void {
    const left = new ApiError('SERVICE_UNAVAILABLE', 'The client disconnected.');
    if (this.#isForClient) this.#abort.abort(left);
    this.#clientLeft.abort(left);
  }

  /** Nothing ends it any more. */
  done(): void {
    clearTimeout(this.#timer);
  }
}

const tooLong = (limitMs: number) =>
  new ApiError(
    'SERVICE_UNAVAILABLE',
    `The request took longer than ${limitMs} ms and was cancelled. Request less data, or try again later.`,
  );
