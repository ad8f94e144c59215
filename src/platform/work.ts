import { ApiError } from './errors.ts';

/** The cancellation of one request. */
export class Work {
  readonly #abort = new AbortController();
  readonly #clientLeft = new AbortController();
  readonly #begun = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #isForClient = false;

  constructor(limitMs: number) {
    this.giveTime(limitMs);
  }

  /** Aborted when the request is cancelled. The reason is the API error to return. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Also aborted when the client of a write disconnects. For work that has not changed anything yet. */
  readonly unwanted: AbortSignal = AbortSignal.any([this.#abort.signal, this.#clientLeft.signal]);

  /** Sets the time limit in milliseconds, counted from the start of the request. `Infinity` removes it. */
  giveTime(limitMs: number): void {
    clearTimeout(this.#timer);
    if (limitMs === Number.POSITIVE_INFINITY) return;
    const left = Math.max(0, limitMs - (performance.now() - this.#begun));
    this.#timer = setTimeout(() => this.#abort.abort(tooLong(limitMs)), left);
  }

  /** Declares that the request only reads, so that it is cancelled when the client disconnects. */
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

  /** Ends the time limit. Must be called when the request is done. */
  done(): void {
    clearTimeout(this.#timer);
  }
}

const tooLong = (limitMs: number) =>
  new ApiError(
    'SERVICE_UNAVAILABLE',
    `The request took longer than ${limitMs} ms and was cancelled. Request less data, or try again later.`,
  );
