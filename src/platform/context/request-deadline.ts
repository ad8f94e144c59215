import { ApiError } from '../errors/errors.ts';

/** The time limit of one request, and its cancellation. */
export class RequestDeadline {
  readonly #controller = new AbortController();
  readonly #begun = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #isForClient = false;
  #clientLeft: ApiError | undefined;
  #leaving: AbortController | undefined;
  #abandonedSignal: AbortSignal | undefined;

  constructor(limitMs: number) {
    this.setTimeLimit(limitMs);
  }

  /** Aborted when the request is cancelled. The reason is the API error to return. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Cancels the request. Later calls have no effect. */
  cancel(reason: Error): void {
    this.#controller.abort(reason);
  }

  /**
   * Aborted when the request is cancelled, and when the client of a write disconnects. For work that has not changed
   * anything yet.
   */
  get abandonedSignal(): AbortSignal {
    if (!this.#abandonedSignal) {
      this.#leaving = new AbortController();
      if (this.#clientLeft) this.#leaving.abort(this.#clientLeft);
      this.#abandonedSignal = AbortSignal.any([this.signal, this.#leaving.signal]);
    }
    return this.#abandonedSignal;
  }

  /** Sets the time limit in milliseconds, counted from the start of the request. `Infinity` removes it. */
  setTimeLimit(limitMs: number): void {
    clearTimeout(this.#timer);
    if (limitMs === Number.POSITIVE_INFINITY) return;
    const remainingMs = Math.max(0, limitMs - (performance.now() - this.#begun));
    this.#timer = setTimeout(() => this.cancel(tooLong(limitMs)), remainingMs);
  }

  /**
   * Declares that the request is cancelled when the client disconnects: it only reads, or its protocol says so. What
   * has been committed by then stays.
   */
  endsWithClient(): void {
    this.#isForClient = true;
    if (this.#clientLeft) this.cancel(this.#clientLeft);
  }

  get hasClientLeft(): boolean {
    return this.#clientLeft !== undefined;
  }

  clientLeft(): void {
    this.#clientLeft ??= new ApiError('SERVICE_UNAVAILABLE', 'The client disconnected.');
    if (this.#isForClient) this.cancel(this.#clientLeft);
    this.#leaving?.abort(this.#clientLeft);
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
