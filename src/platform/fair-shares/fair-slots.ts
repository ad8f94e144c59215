import { FairQueue, type QueueBounds, type Share } from './fair-queue.ts';

export interface SlotOptions extends Partial<QueueBounds> {
  /** Maximum number of slots that are taken at a time. */
  atOnce: number;
  /** How long a call may wait, and the error that it rejects with afterwards. By default, calls wait without limit. */
  timeout?: { ms: number; error: () => Error };
  /** The error of calls that are too many for the bounds. Required if the bounds limit what waits. */
  tooMany?: Error;
  /**
   * Gives out together the slots that were given back in one turn of the event loop, so that their holders start in the same
   * turn and their reads are batched.
   */
  batches?: boolean;
}

interface Waiting extends Share {
  begin(): void;
  fail(reason: unknown): void;
}

/**
 * A number of slots, such as the connections of a pool. The next free one goes to the account that has the fewest; among equals, to the one
 * least recently served; within an account, to the oldest call (`FairQueue`).
 */
export class FairSlots {
  readonly #queue: FairQueue<Waiting>;
  readonly #timeout: SlotOptions['timeout'];
  readonly #tooMany: Error | undefined;
  readonly #batches: boolean;
  #isBatching = false;

  constructor({ timeout, tooMany, batches = false, ...bounds }: SlotOptions) {
    this.#queue = new FairQueue({ ...UNLIMITED, ...bounds }, 'least recent');
    this.#timeout = timeout;
    this.#tooMany = tooMany;
    this.#batches = batches;
  }

  /** Number of calls that wait for a slot. */
  get waiting(): number {
    return this.#queue.waiting;
  }

  /**
   * Resolves when the account has a slot. It is held until disposed. Rejects at the time limit, if too many wait, and with the
   * reason of the signal.
   */
  take(account: string, signal?: AbortSignal): Promise<Disposable> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const cancel = () => {
        this.#queue.remove(waiting);
        waiting.fail(signal?.reason);
      };
      const stopWaiting = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
      };
      const waiting: Waiting = {
        owner: account,
        caller: account,
        begin: () => {
          stopWaiting();
          resolve(this.#slotOf(waiting));
        },
        fail: (reason) => {
          stopWaiting();
          reject(reason);
        },
      };
      signal?.addEventListener('abort', cancel);
      this.#queue.add(waiting)?.fail(this.#tooMany);
      this.#giveOut();
      if (this.#timeout && this.#queue.has(waiting)) timer = this.#expire(waiting, this.#timeout);
    });
  }

  #expire(waiting: Waiting, { ms, error }: { ms: number; error: () => Error }): NodeJS.Timeout {
    return setTimeout(() => {
      this.#queue.remove(waiting);
      waiting.fail(error());
    }, ms);
  }

  #slotOf(waiting: Waiting): Disposable {
    const began = performance.now();
    return {
      [Symbol.dispose]: () => {
        this.#queue.ended(waiting, performance.now() - began);
        if (this.#batches) this.#giveOutAfterTurn();
        else this.#giveOut();
      },
    };
  }

  #giveOutAfterTurn(): void {
    if (this.#isBatching) return;
    this.#isBatching = true;
    setImmediate(() => {
      this.#isBatching = false;
      this.#giveOut();
    });
  }

  #giveOut(): void {
    for (let next = this.#queue.next(); next; next = this.#queue.next()) next.begin();
  }
}

const { POSITIVE_INFINITY } = Number;
const UNLIMITED = {
  atOncePerOwner: POSITIVE_INFINITY,
  waiting: POSITIVE_INFINITY,
  waitingPerOwner: POSITIVE_INFINITY,
};
