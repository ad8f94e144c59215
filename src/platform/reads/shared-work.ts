import { markHandled } from '../../lib/mark-handled.ts';
import { orAborted } from '../../lib/or-aborted.ts';
import { withinTimeLimit } from '../../lib/within-time-limit.ts';
import { asAccount, currentAccount } from '../context/account.ts';
import type { Context } from '../context/context.ts';
import { accessOutsideTransactions } from '../context/database-access.ts';
import { outsideOfRequests } from '../context/outside-of-requests.ts';
import { RequestDeadline } from '../context/request-deadline.ts';
import { abortable } from '../database/abortable.ts';
import { unavailabilityOf } from '../database/unavailable.ts';
import { ApiError } from '../errors/errors.ts';

export interface SharedWorkOptions {
  /** How long a request waits, if it is not as long as the request takes, and the error after that. */
  patience?: { milliseconds: number; tooSlow: () => Error };
  /**
   * How long work continues without waiters after it was last awaited by a client that has not disconnected. Default:
   * 0.
   */
  lingerMs?: number;
  /** Time limit of the work. Default: that of requests. `Infinity` for work whose parts have limits. */
  limitMs?: number;
}

interface Running<Value> {
  result: Promise<Value>;
  /** The time limit and cancellation of the work, in place of those of a request. */
  deadline: RequestDeadline;
  /** Number of requests that wait. */
  waiting: number;
  isOver: boolean;
  /** Until when the work continues without waiters. */
  lingersUntil: number;
  /** Timer that cancels the work once it has lingered without waiters. */
  end: NodeJS.Timeout | undefined;
}

/**
 * Work by key that requests share, as long as it runs. Its result must depend only on the key, and callers have checked
 * access.
 *
 * The work runs outside of requests, with a context and a time limit of its own, and continues when the request that
 * began it fails or ends. It is cancelled when its last waiter ends. A cancelled request stops waiting. Connections,
 * slots, statements and log lines count for the caller who began it; if it fails because something is unavailable, the
 * other waiters try again, together, since their accounts may have connections left. Results and errors are not cached:
 * all waiters get the same error, and the next call starts again. Requests in a transaction, which may have written
 * what the work reads, do it themselves.
 */
export class SharedWork<Value> {
  readonly #options: SharedWorkOptions;
  readonly #running = new Map<string, Running<Value>>();
  #size = 0;

  constructor(options: SharedWorkOptions = {}) {
    this.#options = options;
  }

  /** How much work runs, including cancelled work that has not ended. */
  get size(): number {
    return this.#size;
  }

  /** Whether the work for a key runs. */
  has(key: string): boolean {
    return this.#running.has(key);
  }

  /** The result of the work that runs for a key, or else of `act`, which is called with the context of the work. */
  async join(ctx: Context, key: string, act: (workCtx: Context) => Promise<Value>): Promise<Value> {
    if (ctx.inTransaction) return act(ctx);
    ctx.deadline?.signal.throwIfAborted();
    const joined = this.#running.get(key);
    try {
      return await this.#wait(ctx, key, joined ?? this.#begin(ctx, key, act));
    } catch (error) {
      const isOfOther = joined?.isOver && !ctx.deadline?.signal.aborted;
      if (!isOfOther || unavailabilityOf(error) === undefined) throw error;
      return this.#wait(ctx, key, this.#running.get(key) ?? this.#begin(ctx, key, act));
    }
  }

  async #wait({ deadline }: Context, key: string, running: Running<Value>): Promise<Value> {
    clearTimeout(running.end);
    running.waiting++;
    try {
      return await this.#patiently(deadline ? orAborted(deadline.signal, running.result) : running.result);
    } finally {
      running.waiting--;
      this.#leave(key, running, deadline);
    }
  }

  #patiently(result: Promise<Value>): Promise<Value> {
    const { patience } = this.#options;
    return patience ? withinTimeLimit(result, patience.milliseconds, patience.tooSlow) : result;
  }

  #begin(ctx: Context, key: string, act: (workCtx: Context) => Promise<Value>): Running<Value> {
    const { limitMs = ctx.services.config.requestTimeoutMs } = this.#options;
    const deadline = outsideOfRequests(() => new RequestDeadline(limitMs));
    const workCtx = contextWith(ctx, deadline);
    const account = currentAccount();
    const run = () => abortable(deadline.signal, async () => act(workCtx), ctx.log);
    const begun = outsideOfRequests(() => asAccount(account, run));
    this.#size++;
    markHandled(
      begun.finally(() => {
        this.#size--;
      }),
    );
    const over = () => {
      running.isOver = true;
      deadline.done();
      this.#forget(key, running);
    };
    const running: Running<Value> = {
      result: markHandled(orAborted(deadline.signal, begun).finally(over)),
      deadline,
      waiting: 0,
      isOver: false,
      lingersUntil: 0,
      end: undefined,
    };
    this.#running.set(key, running);
    return running;
  }

  #leave(key: string, running: Running<Value>, by: RequestDeadline | undefined): void {
    const { lingerMs = 0 } = this.#options;
    const now = performance.now();
    if (!by?.hasClientLeft) running.lingersUntil = now + lingerMs;
    if (running.isOver || running.waiting > 0) return;
    const end = () => {
      // Later calls start new work instead of joining the cancelled one.
      this.#forget(key, running);
      running.deadline.cancel(new ApiError('SERVICE_UNAVAILABLE', 'All requests that waited have ended.'));
    };
    const remainingMs = running.lingersUntil - now;
    if (remainingMs <= 0) end();
    else running.end = outsideOfRequests(() => setTimeout(end, remainingMs).unref());
  }

  #forget(key: string, running: Running<Value>): void {
    clearTimeout(running.end);
    if (this.#running.get(key) === running) this.#running.delete(key);
  }
}

/** The context of a caller, with another deadline than that of its request. */
const contextWith = (
  { services, meter, actor, requestId, log, address, userAgent }: Context,
  deadline: RequestDeadline,
): Context => ({
  ...accessOutsideTransactions(services, meter),
  services,
  actor,
  requestId,
  log,
  deadline,
  ...(address !== undefined && { address }),
  userAgent,
  inTransaction: false,
});
