import type { RequestDeadline } from '../context/request-deadline.ts';
import { ApiError } from '../errors/errors.ts';
import { FairQueue, type Share } from '../heavy-work/fair-queue.ts';

/**
 * Large operations hold their rows and results until the response is written. Running more of them at a time makes none
 * faster, since they share one event loop, but enlarges the heap.
 */
const BOUNDS = { atOnce: 10, atOncePerOwner: 8, waiting: 1_000, waitingPerOwner: 500 };

interface Waiting extends Share {
  begin(): void;
  fail(reason: unknown): void;
}

/** Slots for operations that read hundreds of objects, shared fairly between accounts (`FairQueue`). */
export class QuerySlots {
  readonly #queue = new FairQueue<Waiting>(BOUNDS);
  #isGathering = false;

  /**
   * Resolves when the operation can run. The slot is held until disposed. Rejects with RATE_LIMITED if too many wait, and
   * with the reason of a cancellation.
   */
  take(account: string, deadline: RequestDeadline | undefined): Promise<Disposable> {
    return new Promise((resolve, reject) => {
      const cancel = () => {
        this.#queue.remove(waiting);
        reject(deadline?.cancellation.reason);
      };
      const waiting: Waiting = {
        owner: account,
        caller: account,
        begin: () => {
          deadline?.cancellation.off(cancel);
          resolve(this.#slotOf(waiting));
        },
        fail(reason) {
          deadline?.cancellation.off(cancel);
          reject(reason);
        },
      };
      deadline?.cancellation.on(cancel);
      this.#queue.add(waiting)?.fail(TOO_MANY);
      this.#goOn();
    });
  }

  #slotOf(waiting: Waiting): Disposable {
    const began = performance.now();
    return {
      [Symbol.dispose]: () => {
        this.#queue.ended(waiting, performance.now() - began);
        this.#gather();
      },
    };
  }

  /** Slots given back in one turn of the event loop are given together, so that the reads of the operations are batched. */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    setImmediate(() => {
      this.#isGathering = false;
      this.#goOn();
    });
  }

  #goOn(): void {
    for (let next = this.#queue.next(); next; next = this.#queue.next()) next.begin();
  }
}

const TOO_MANY = new ApiError('RATE_LIMITED', 'You have too many queries at a time. Wait for their responses.', [], {
  retryAfterSeconds: 1,
});
