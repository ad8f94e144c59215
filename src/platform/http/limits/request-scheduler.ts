import type { FastifyInstance } from 'fastify';
import { tickAge } from '../../../lib/tick.ts';
import { countedAccount } from '../caller.ts';

/** How long requests that start may hold the event loop in one tick, in milliseconds. */
const TICK_BUDGET_MS = 8;
const MAX_STARTS_PER_TICK = 64;

/**
 * Shares the ticks of the event loop between accounts. Without it, requests that arrive together start in the same
 * tick, however long that takes. Requests that arrive late in a tick wait for another one, in which accounts alternate,
 * so that many requests of one account do not delay those of others.
 */
export class RequestScheduler {
  /** By account, the next one first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isArranged = false;
  /** When the first waiting request of this tick started. */
  #began: number | undefined;

  /** Returns a promise of the request's start, or undefined if it can start at once. */
  enter(account: string): Promise<void> | undefined {
    if (this.#waiting.size === 0 && tickAge() < TICK_BUDGET_MS) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    const requests = this.#waiting.get(account);
    if (requests) requests.push(resolve);
    else this.#waiting.set(account, [resolve]);
    this.#arrange();
    return promise;
  }

  /**
   * Starts each request in a callback of its own, after which the first part of the request runs and counts. Other long
   * work (`makeYielder`) does not count: it uses its budget in every tick as long as there is any.
   */
  #arrange(): void {
    if (this.#isArranged) return;
    this.#isArranged = true;
    this.#began = undefined;
    for (let slot = 1; slot < MAX_STARTS_PER_TICK; slot++) setImmediate(() => this.#start());
    setImmediate(() => {
      this.#start();
      this.#isArranged = false;
      if (this.#waiting.size > 0) this.#arrange();
    });
  }

  #start(): void {
    const [next] = this.#waiting;
    this.#began ??= performance.now();
    if (!next || performance.now() - this.#began >= TICK_BUDGET_MS) return;
    const [account, requests] = next;
    this.#waiting.delete(account);
    const start = requests.shift();
    if (requests.length > 0) this.#waiting.set(account, requests);
    start?.();
  }
}

/** Schedules requests before they are handled. Register after the caller is identified. */
export function scheduleRequests(server: FastifyInstance, scheduler: RequestScheduler): void {
  server.addHook('preHandler', (request, _reply, done) => {
    const started = scheduler.enter(countedAccount(request));
    if (started) started.then(() => done(), done);
    else done();
  });
}
