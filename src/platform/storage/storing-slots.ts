import { ApiError } from '../errors/errors.ts';
import { FairQueue, type Share } from '../heavy-work/fair-queue.ts';

/** Far fewer than the connections of a pool. */
const BOUNDS = { atOnce: 6, atOncePerOwner: 3, waiting: 1_000, waitingPerOwner: 500 };

interface Waiting extends Share {
  begin(): void;
  fail(reason: unknown): void;
}

/**
 * Slots for transactions that wait for the storage, shared fairly between organizations, so that a slow bucket does not take
 * all connections to the database.
 */
export class StoringSlots {
  readonly #queue = new FairQueue<Waiting>(BOUNDS);
  readonly #limitMs: number;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** Runs a function in a slot. Rejects with SERVICE_UNAVAILABLE if no slot is free within the time limit. */
  async run<Result>(organizationId: string, caller: string, act: () => Promise<Result>): Promise<Result> {
    const ended = await this.#take(organizationId, caller);
    try {
      return await act();
    } finally {
      ended();
    }
  }

  #take(owner: string, caller: string): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        owner,
        caller,
        begin: () => {
          clearTimeout(timer);
          const begun = performance.now();
          resolve(() => {
            this.#queue.ended(waiting, performance.now() - begun);
            this.#goOn();
          });
        },
        fail: (reason) => {
          clearTimeout(timer);
          reject(reason);
        },
      };
      const timer = setTimeout(() => {
        this.#queue.remove(waiting);
        reject(busy());
      }, this.#limitMs);
      this.#queue.add(waiting)?.fail(busy());
      this.#goOn();
    });
  }

  #goOn(): void {
    for (let next = this.#queue.next(); next; next = this.#queue.next()) next.begin();
  }
}

const busy = () => new ApiError('SERVICE_UNAVAILABLE', 'The file storage is busy. Try again later.');
