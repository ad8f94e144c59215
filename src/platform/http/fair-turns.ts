import type { FastifyInstance } from 'fastify';
import { ageOfTurn } from '../../lib/turn.ts';
import { countedAccount } from './caller.ts';

/** How long requests that begin may hold the event loop in one turn of it, in milliseconds. */
const LONGEST = 8;
/** Number of waiting requests that can begin in a turn. */
const MOST = 64;

/**
 * Shares the turns of the event loop between accounts. Requests that arrive together would begin in the same turn, however
 * long that takes, and nothing else would run meanwhile. Here, requests that arrive late in a turn wait for another one.
 * Then accounts take turns, so that many requests of one account do not delay those of others.
 */
export class FairTurns {
  /** By account, in the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isArranged = false;
  /** When the first waiting request of this turn began. */
  #began: number | undefined;

  /** Undefined if a request can begin at once. */
  enter(account: string): Promise<void> | undefined {
    if (this.#waiting.size === 0 && ageOfTurn() < LONGEST) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    const requests = this.#waiting.get(account);
    if (requests) requests.push(resolve);
    else this.#waiting.set(account, [resolve]);
    this.#arrange();
    return promise;
  }

  /**
   * Each request begins in a callback of its own, after which its first part runs and counts. Other long work (`makePause`)
   * does not count: it fills its part of every turn as long as there is any.
   */
  #arrange(): void {
    if (this.#isArranged) return;
    this.#isArranged = true;
    this.#began = undefined;
    for (let slot = 1; slot < MOST; slot++) setImmediate(() => this.#admit());
    setImmediate(() => {
      this.#admit();
      this.#isArranged = false;
      if (this.#waiting.size > 0) this.#arrange();
    });
  }

  #admit(): void {
    const [next] = this.#waiting;
    this.#began ??= performance.now();
    if (!next || performance.now() - this.#began >= LONGEST) return;
    const [account, requests] = next;
    this.#waiting.delete(account);
    const begin = requests.shift();
    if (requests.length > 0) this.#waiting.set(account, requests);
    begin?.();
  }
}

/** Requests wait for their turn before they are handled. Register after the caller is identified. */
export function shareTurns(server: FastifyInstance, turns: FairTurns): void {
  server.addHook('preHandler', (request, _reply, done) => {
    const turn = turns.enter(countedAccount(request));
    if (turn) turn.then(() => done(), done);
    else done();
  });
}
