import { FairQueue, type QueueBounds, type QueueOrder, type Share } from './fair-queue.ts';

/** Notes what becomes of one call, such as for metrics. */
export interface SlotObserver {
  /** Called with 1 when the call begins to wait, and with -1 when it no longer does. */
  waiting?(change: 1 | -1): void;
  began?(secondsWaited: number): void;
  ended?(seconds: number): void;
  /** The call was cancelled while it waited. */
  cancelled?(): void;
  /** The call was dropped because too many wait. */
  refused?(): void;
}

export interface SlotOptions extends Partial<QueueBounds> {
  /** Maximum number of slots that are taken at a time. */
  atOnce: number;
  /** How long a call may wait, and the error that it rejects with afterwards. By default, calls wait without limit. */
  timeout?: { ms: number; error: () => Error };
  /** The error of calls that are too many for the bounds. Required if the bounds limit what waits. */
  tooMany?: Error;
  /**
   * Gives out together the slots that were given back in one tick of the event loop, so that their holders start in the
   * same tick and their reads are batched.
   */
  batches?: boolean;
  /** Which account comes first among those with the fewest slots. Default: the least recently served. */
  order?: QueueOrder;
}

interface Waiting extends Share {
  observer: SlotObserver;
  begin(): void;
  fail(reason: unknown): void;
}

/**
 * A number of slots, such as the connections of a pool. The next free one goes to the account that has the fewest;
 * among equals, to the one that `order` names; within an account, to the oldest call (`FairQueue`).
 */
export class FairSlots {
  readonly #queue: FairQueue<Waiting>;
  readonly #timeout: SlotOptions['timeout'];
  readonly #tooMany: Error | undefined;
  readonly #batches: boolean;
  #isBatching = false;

  constructor({ timeout, tooMany, batches = false, order = 'least recent', ...bounds }: SlotOptions) {
    this.#queue = new FairQueue({ ...UNLIMITED, ...bounds }, order);
    this.#timeout = timeout;
    this.#tooMany = tooMany;
    this.#batches = batches;
  }

  /** Number of calls that wait for a slot. */
  get waiting(): number {
    return this.#queue.waiting;
  }

  /**
   * Resolves when the account, or the caller of an account, has a slot. It is held until disposed. Rejects at the time
   * limit, if too many wait, and with the reason of the signal.
   */
  take(account: string | Share, signal?: AbortSignal, observer: SlotObserver = {}): Promise<Disposable> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const since = performance.now();
      let timer: NodeJS.Timeout | undefined;
      const cancel = () => {
        this.#queue.remove(waiting);
        observer.cancelled?.();
        waiting.fail(signal?.reason);
      };
      const stopWaiting = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
        observer.waiting?.(-1);
      };
      const waiting: Waiting = {
        ...(typeof account === 'string' ? { owner: account, caller: account } : account),
        observer,
        begin: () => {
          stopWaiting();
          observer.began?.((performance.now() - since) / 1_000);
          resolve(this.#slotOf(waiting));
        },
        fail: (reason) => {
          stopWaiting();
          reject(reason);
        },
      };
      signal?.addEventListener('abort', cancel);
      observer.waiting?.(1);
      this.#refuse(this.#queue.add(waiting));
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

  #refuse(refused: Waiting | undefined): void {
    refused?.observer.refused?.();
    refused?.fail(this.#tooMany);
  }

  #slotOf(waiting: Waiting): Disposable {
    const began = performance.now();
    let isOver = false;
    return {
      [Symbol.dispose]: () => {
        if (isOver) return;
        isOver = true;
        const milliseconds = performance.now() - began;
        waiting.observer.ended?.(milliseconds / 1_000);
        this.#queue.ended(waiting, milliseconds);
        if (this.#batches) this.#giveOutNextTick();
        else this.#giveOut();
      },
    };
  }

  #giveOutNextTick(): void {
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
