import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '../../lib/durations.ts';
import { asAccount, currentAccount } from '../context/account.ts';
import { outsideOfRequests } from '../context/outside-of-requests.ts';
import type { Services } from '../context/services.ts';
import { loggable } from '../log/loggable.ts';
import { leaseSlice, removeLeases } from './lease.ts';

/** Remaining requests of a caller. */
export interface Allowance {
  /** Maximum number of requests per minute. */
  limit: number;
  /** Remaining requests in the current minute. */
  remaining: number;
  /** Start of the next minute, in milliseconds. */
  resetAt: number;
  /** The counted request exceeds the limit. */
  isOver: boolean;
}

const WINDOW_MS = MINUTE_MS;
const BUCKETS = 20_000;

/** A process leases the limit divided by `SLICES`, or if less, the remaining requests divided by `LAST_SLICES`. */
const SLICES = 20;
const LAST_SLICES = 10;

interface Bucket {
  windowStart: number;
  /** Requests that this process has leased but not used. */
  unused: number;
  /** Requests that all processes have leased, as far as known. */
  leased: number;
  leasing: Promise<void> | undefined;
}

/**
 * Counts requests across all processes of a database, in whole minutes of the service's clock. The limit is never
 * exceeded. Each process leases slices of the limit, with one statement per slice, so up to a twentieth of the limit
 * can remain unused by another process.
 */
export class RateLimiter {
  readonly #services: Pick<Services, 'db' | 'clock' | 'log'>;
  readonly #limit: number;
  readonly #buckets = new LRUCache<string, Bucket>({ max: BUCKETS });
  #sweptWindow = 0;

  constructor(services: Pick<Services, 'db' | 'clock' | 'log'>, limit: number) {
    this.#services = services;
    this.#limit = limit;
  }

  /** Counts one request if this process has leased it. Undefined if it has to ask for more. */
  countCached(name: string): Allowance | undefined {
    const bucket = this.#bucketNow(name);
    if (bucket.unused > 0) {
      bucket.unused--;
      return this.#allowanceOf(bucket, false);
    }
    return bucket.leased >= this.#limit ? this.#allowanceOf(bucket, true) : undefined;
  }

  /** Counts one request. */
  async count(name: string): Promise<Allowance> {
    for (;;) {
      const allowance = this.countCached(name);
      if (allowance) return allowance;
      const bucket = this.#bucketNow(name);
      // Concurrent requests wait for the same slice, so cancelling one of them must not cancel the lease.
      const account = currentAccount();
      bucket.leasing ??= outsideOfRequests(() => asAccount(account, () => this.#lease(name, bucket))).finally(() => {
        bucket.leasing = undefined;
      });
      await bucket.leasing;
    }
  }

  /** Undoes the count of a request, unless its minute has passed. */
  giveBack(name: string, { resetAt }: Allowance): void {
    const bucket = this.#buckets.get(name);
    if (bucket && bucket.windowStart + WINDOW_MS === resetAt) bucket.unused++;
  }

  /** Whether this process knows without a query that no requests are left. */
  isKnownOver(name: string): boolean {
    const bucket = this.#buckets.get(name);
    return (
      bucket !== undefined &&
      bucket.windowStart >= this.#windowNow() &&
      bucket.unused === 0 &&
      bucket.leased >= this.#limit
    );
  }

  #windowNow(): number {
    const now = this.#services.clock().getTime();
    return now - (now % WINDOW_MS);
  }

  #bucketNow(name: string): Bucket {
    const windowStart = this.#windowNow();
    const current = this.#buckets.get(name);
    // A process whose clock is ahead may have started the next window.
    if (current && current.windowStart >= windowStart) return current;
    const bucket = { windowStart, unused: 0, leased: 0, leasing: undefined };
    this.#buckets.set(name, bucket);
    return bucket;
  }

  async #lease(name: string, bucket: Bucket): Promise<void> {
    const limit = this.#limit;
    const slice = sliceOf(limit, limit - bucket.leased);
    this.#sweep(bucket.windowStart);
    const { windowStart } = bucket;
    const lease = await leaseSlice(this.#services.db, { bucket: name, windowStart, slice, limit });
    bucket.windowStart = lease.windowStart;
    bucket.leased = Math.min(lease.leased, limit);
    bucket.unused += Math.max(0, Math.min(slice, limit - (lease.leased - slice)));
  }

  /** Runs once a minute, since the table would otherwise grow with every address. */
  #sweep(windowStart: number): void {
    if (windowStart <= this.#sweptWindow) return;
    this.#sweptWindow = windowStart;
    const { db, log } = this.#services;
    removeLeases(db, windowStart - WINDOW_MS).catch((error: unknown) => {
      log.warn({ err: loggable(error) }, 'old counts of requests were not removed');
    });
  }

  #allowanceOf({ windowStart, leased, unused }: Bucket, isOver: boolean): Allowance {
    return { limit: this.#limit, remaining: this.#limit - leased + unused, resetAt: windowStart + WINDOW_MS, isOver };
  }
}

/** Smaller towards the end, so that a process does not hold many requests while another has none. */
export const sliceOf = (limit: number, remaining: number): number =>
  Math.max(1, Math.floor(Math.min(limit / SLICES, remaining / LAST_SLICES)));
