import { currentAccount } from '../context/account.ts';

interface Waiting {
  account: string;
  enter(): void;
}

/**
 * Shares a number of places between accounts, such as the connections of a pool. When all are taken, the next free one goes
 * to the account that has the fewest; among equals, to the one least recently served; within an account, to the oldest request.
 * This way, many requests of one account do not delay those of others.
 */
export class FairGate {
  readonly #max: number;
  readonly #timeoutMs: number | undefined;
  readonly #inUseByAccount = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  /** By account: sequence number of its latest turn. Cleared when the queue is empty. */
  readonly #served = new Map<string, number>();
  #turns = 0;
  #inUse = 0;

  constructor({ max, timeoutMs }: { max: number; timeoutMs?: number }) {
    this.#max = max;
    this.#timeoutMs = timeoutMs;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Waits for a place to be free. Returns the function to call once it is free again. Fails at the time limit, if any. */
  async enter(): Promise<() => void> {
    const account = currentAccount();
    if (this.#inUse < this.#max) this.#take(account);
    else await this.#wait(account);
    return () => this.#leave(account);
  }

  #wait(account: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        account,
        enter: () => {
          clearTimeout(timer);
          this.#waiting.delete(waiting);
          this.#served.set(account, ++this.#turns);
          if (this.#waiting.size === 0) this.#served.clear();
          this.#take(account);
          resolve();
        },
      };
      const expire = () => {
        this.#waiting.delete(waiting);
        reject(new Error(TIMEOUT));
      };
      const timer = this.#timeoutMs === undefined ? undefined : setTimeout(expire, this.#timeoutMs);
      this.#waiting.add(waiting);
    });
  }

  #take(account: string): void {
    this.#inUse++;
    this.#inUseByAccount.set(account, this.#inUseBy(account) + 1);
  }

  #leave(account: string): void {
    this.#inUse--;
    const remaining = this.#inUseBy(account) - 1;
    if (remaining > 0) this.#inUseByAccount.set(account, remaining);
    else this.#inUseByAccount.delete(account);
    this.#next()?.enter();
  }

  #inUseBy(account: string): number {
    return this.#inUseByAccount.get(account) ?? 0;
  }

  #next(): Waiting | undefined {
    let next: Waiting | undefined;
    for (const candidate of this.#waiting) {
      if (!next || this.#isBefore(candidate, next)) next = candidate;
    }
    return next;
  }

  #isBefore({ account: one }: Waiting, { account: other }: Waiting): boolean {
    const fewer = this.#inUseBy(one) - this.#inUseBy(other);
    return fewer < 0 || (fewer === 0 && (this.#served.get(one) ?? 0) < (this.#served.get(other) ?? 0));
  }
}

/** The message of the driver's pool, which `unavailabilityOf` knows. */
const TIMEOUT = 'timeout exceeded when trying to connect';
