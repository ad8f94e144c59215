import type { FaultLog } from '../log/fault-log.ts';

/**
 * A cancellation with few listeners that almost never happens. Every request has one, so it costs one object until it is
 * needed as an `AbortSignal`, which takes microseconds to make and to listen to.
 */
export class Cancellation {
  /** Log of the request or job that can be cancelled, for faults that its code does not handle. */
  log: FaultLog | undefined;
  #reason: Error | undefined;
  #listeners: (() => void)[] = [];
  #controller: AbortController | undefined;

  /** Why it was cancelled. Undefined until then. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  /** The same as a signal of the platform. Made when first read. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Calls the listeners once. Later calls have no effect. */
  cancel(reason: Error): void {
    if (this.#reason) return;
    this.#reason = reason;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
    this.#controller?.abort(reason);
  }

  /** Adds a listener. It is not called if the cancellation has already happened. */
  on(listener: () => void): void {
    if (!this.#reason) this.#listeners.push(listener);
  }

  off(listener: () => void): void {
    const at = this.#listeners.lastIndexOf(listener);
    if (at !== -1) this.#listeners.splice(at, 1);
  }

  /** The result of some work. Rejects as soon as this is cancelled, even if the work goes on. */
  async orCancelled<Result>(work: Promise<Result>): Promise<Result> {
    const { promise: cancelled, reject } = Promise.withResolvers<never>();
    const cancel = () => reject(this.#reason);
    if (this.#reason) cancel();
    this.on(cancel);
    try {
      return await Promise.race([work, cancelled]);
    } finally {
      this.off(cancel);
    }
  }

  throwIfCancelled(): void {
    if (this.#reason) throw this.#reason;
  }
}
