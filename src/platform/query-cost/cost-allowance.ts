import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '../../lib/durations.ts';
import { ApiError } from '../errors/errors.ts';

const ACCOUNTS = 20_000;

/** Cost that an account still owes, at a time in milliseconds. */
interface Debt {
  cost: number;
  at: number;
}

/**
 * Limits the cost of the work that each account causes in this process, since requests differ in cost by a factor of
 * thousands. An account can use the cost of a minute at once, and gets it back evenly over a minute. Work is charged
 * when its cost is known, which may be while it runs, so an account can exceed its allowance by one operation at a
 * time. It then waits longer.
 */
export class CostAllowance {
  readonly #perMinute: number;
  readonly #clock: () => Date;
  readonly #debts = new LRUCache<string, Debt>({ max: ACCOUNTS });

  constructor(perMinute: number, clock: () => Date) {
    this.#perMinute = perMinute;
    this.#clock = clock;
  }

  charge(account: string, cost: number): void {
    const at = this.#clock().getTime();
    this.#debts.set(account, { cost: this.#owedBy(account, at) + cost, at });
  }

  /** Throws RATE_LIMITED, with the time to wait, if nothing is left. */
  rejectExhausted(account: string): void {
    const seconds = this.secondsToWait(account);
    if (seconds === 0) return;
    throw new ApiError(
      'RATE_LIMITED',
      `Query cost limit of ${this.#perMinute} per minute exceeded. Try again in ${seconds} seconds, or request fewer objects.`,
      [],
      { retryAfterSeconds: seconds },
    );
  }

  /** Seconds until the account can be charged again. 0 if it can be charged now. */
  secondsToWait(account: string): number {
    const excess = this.#owedBy(account, this.#clock().getTime()) - this.#perMinute;
    return excess < 0 ? 0 : Math.floor((excess / this.#perMinute) * 60) + 1;
  }

  #owedBy(account: string, now: number): number {
    const debt = this.#debts.get(account);
    return debt ? Math.max(0, debt.cost - (this.#perMinute * Math.max(0, now - debt.at)) / MINUTE_MS) : 0;
  }
}
