import { markHandled } from '../../lib/mark-handled.ts';
import { withinTimeLimit } from '../../lib/within-time-limit.ts';
import type { Context } from '../context/context.ts';
import { outsideOfRequests } from '../context/outside-of-requests.ts';
import { RequestDeadline } from '../context/request-deadline.ts';
import { sessionOutside } from '../context/session.ts';
import { abortable } from '../database/abortable.ts';
import { accountNow, asAccount } from '../database/fair-gate.ts';
import { ApiError } from '../errors/errors.ts';

export interface SharedWorkOptions {
  /** How long a request waits, if it is not as long as the request takes, and the error after that. */
  patience?: { milliseconds: number; tooSlow: () => Error };
  /**
   * How long the work goes on without anyone who waits if the last client has not left, since it may ask again. Not at all by
   * default.
   */
  lingerMs?: number;
}

interface Running<Value> {
  result: Promise<Value>;
  /** What the work runs in instead of a request. */
  work: RequestDeadline;
  /** Number of requests that wait. */
  waiting: number;
  isOver: boolean;
  /** Ends the work that nobody waits for. */
  end: NodeJS.Timeout | undefined;
}

/**
 * Work by key that requests share, as long as it runs. Its result must depend on the key alone, and callers have checked access.
 *
 * The work is part of no request: it gets a context of its own, and goes on when the request that began it fails or ends. It
 * is cancelled when nobody waits any more. A request that is cancelled waits no longer. Connections, turns, statements and log lines
 * count for the caller who began it. Neither results nor errors are kept: those who wait get the same error, and who calls
 * later begins again. Requests in a transaction, which may have written what the work reads, do it themselves.
 */
export class SharedWork<Value> {
  readonly #options: SharedWorkOptions;
  readonly #running = new Map<string, Running<Value>>();

  constructor(options: SharedWorkOptions = {}) {
    this.#options = options;
  }

  /** Number of keys whose work runs. */
  get size(): number {
    return this.#running.size;
  }

  /** Whether the work for a key runs. */
  has(key: string): boolean {
    return this.#running.has(key);
  }

  /** The result of the work that runs for a key, or else of `act`, which is called with the context of the work. */
  async join(ctx: Context, key: string, act: (own: Context) => Promise<Value>): Promise<Value> {
    if (ctx.inTransaction) return act(ctx);
    const { work } = ctx;
    work?.cancellation.throwIfCancelled();
    const running = this.#running.get(key) ?? this.#begin(ctx, key, act);
    clearTimeout(running.end);
    running.waiting++;
    try {
      return await this.#patiently(work ? work.cancellation.orCancelled(running.result) : running.result);
    } finally {
      running.waiting--;
      this.#left(key, running, work);
    }
  }

  #patiently(result: Promise<Value>): Promise<Value> {
    const { patience } = this.#options;
    return patience ? withinTimeLimit(result, patience.milliseconds, patience.tooSlow) : result;
  }

  #begin(ctx: Context, key: string, act: (own: Context) => Promise<Value>): Running<Value> {
    const work = new RequestDeadline(Number.POSITIVE_INFINITY);
    work.cancellation.log = ctx.log;
    const own = contextWith(ctx, work);
    const account = accountNow();
    const begun = outsideOfRequests(() => asAccount(account, () => abortable(work.cancellation, async () => act(own))));
    const over = () => {
      running.isOver = true;
      this.#forget(key, running);
    };
    const running: Running<Value> = {
      result: markHandled(begun.finally(over)),
      work,
      waiting: 0,
      isOver: false,
      end: undefined,
    };
    this.#running.set(key, running);
    return running;
  }

  #left(key: string, running: Running<Value>, by: RequestDeadline | undefined): void {
    const { lingerMs = 0 } = this.#options;
    if (running.isOver || running.waiting > 0) return;
    const end = () => {
      // Who calls from now on begins again, instead of waiting for what is being cancelled.
      this.#forget(key, running);
      running.work.cancellation.cancel(new ApiError('SERVICE_UNAVAILABLE', 'All requests that waited have ended.'));
    };
    if (lingerMs === 0 || by?.hasClientLeft) end();
    else running.end = outsideOfRequests(() => setTimeout(end, lingerMs).unref());
  }

  #forget(key: string, running: Running<Value>): void {
    clearTimeout(running.end);
    if (this.#running.get(key) === running) this.#running.delete(key);
  }
}

/** The context of a caller, with other work than its request. */
const contextWith = (
  { services, meter, actor, requestId, log, address, userAgent }: Context,
  work: RequestDeadline,
): Context => ({
  ...sessionOutside(services, meter),
  services,
  actor,
  requestId,
  log,
  work,
  ...(address !== undefined && { address }),
  userAgent,
  inTransaction: false,
});
