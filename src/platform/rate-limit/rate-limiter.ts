import { LruMap } from '../../lib/lru.ts';
import type { Services } from '../context.ts';
import { loggable } from '../loggable.ts';
import { leaseSlice, removeLeases } from './lease.ts';

/** What somebody may still ask for. */
export interface Allowance {
  /** Requests per minute. */
  limit: number;
  /** Requests left in this minute. */
  remaining: number;
  /** When the next minute begins, in milliseconds. */
  resetAt: number;
  /** The request that was to be counted is one too many. */
  isOver: boolean;
}

export interface RateLimiter {
  /** Counts one request. */
  take(bucket: string): Promise<Allowance>;
  /** Whether this process knows, without asking, that nothing is left. */
  isKnownOver(bucket: string): boolean;
}

const WINDOW_MS = 60_000;
const BUCKETS = 20_000;

/** A process takes this part of a window at a time, and near its end this part of what is left. */
const SLICES = 20;
const LAST_SLICES = 10;

interface Bucket {
  windowStart: number;
  /** Taken by this process and not used yet. */
  left: number;
  /** Taken by all processes, as far as this one knows. */
  taken: number;
  leasing: Promise<void> | undefined;
}

/**
 * Counts requests over all processes of one database, by whole minutes of the service's clock: never more than the limit
 * passes. Each process takes slices of the allowance by one statement each, so that what another holds unused, a
 * twentieth at most, may be missing in the end.
 */
export function makeRateLimiter({ db, clock, log }: Services, limit: number): RateLimiter {
  const buckets = new LruMap<string, Bucket>(BUCKETS);
  let sweptWindow = 0;

  const bucketNow = (name: string): Bucket => {
    const now = clock().getTime();
    const windowStart = now - (now % WINDOW_MS);
    const known = buckets.get(name);
    if (known && known.windowStart >= windowStart) return known;
    const bucket = { windowStart, left: 0, taken: 0, leasing: undefined };
    buckets.set(name, bucket);
    return bucket;
  };

  const lease = async (name: string, bucket: Bucket): Promise<void> => {
    const slice = sliceOf(limit, limit - bucket.taken);
    const { windowStart } = bucket;
    sweep(windowStart);
    const answer = await leaseSlice(db, { bucket: name, windowStart, slice, limit });
    bucket.windowStart = answer.windowStart;
    bucket.taken = Math.min(answer.taken, limit);
    bucket.left += Math.max(0, Math.min(slice, limit - (answer.taken - slice)));
  };

  /** Once a minute; the table would grow with every address that ever called. */
  const sweep = (windowStart: number): void => {
    if (windowStart <= sweptWindow) return;
    sweptWindow = windowStart;
    removeLeases(db, windowStart - WINDOW_MS).catch((error: unknown) => {
      log.warn({ err: loggable(error) }, 'old counts of requests were not removed');
    });
  };

  const allowanceOf = (bucket: Bucket, isOver: boolean): Allowance => ({
    limit,
    remaining: limit - bucket.taken + bucket.left,
    resetAt: bucket.windowStart + WINDOW_MS,
    isOver,
  });

  return {
    async take(name) {
      for (;;) {
        const bucket = bucketNow(name);
        if (bucket.left > 0) {
          bucket.left--;
          return allowanceOf(bucket, false);
        }
        if (bucket.taken >= limit) return allowanceOf(bucket, true);
        // Those who come meanwhile wait for the same slice.
        bucket.leasing ??= lease(name, bucket).finally(() => {
          bucket.leasing = undefined;
        });
        await bucket.leasing;
      }
    },
    isKnownOver(name) {
      const { left, taken } = bucketNow(name);
      return left === 0 && taken >= limit;
    },
  };
}

/** Smaller towards the end, so that little is held by one process while another has none. */
export const sliceOf = (limit: number, remaining: number): number =>
  Math.max(1, Math.floor(Math.min(limit / SLICES, remaining / LAST_SLICES)));
