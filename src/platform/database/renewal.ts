import type pg from 'pg';
import { isReadOnlyRefusal } from './sqlstates.ts';
import { isUnreachable } from './unavailable.ts';

/** While a server is read-only, all connections are replaced at most this often. */
const RENEW_EVERY_MS = 1_000;

/**
 * Decides which connections of a pool are closed. After a failover, connections can lead to a server that is a standby:
 * they work, and cannot write. The first refusal replaces all that were opened before it, so that one request fails and
 * not one for each connection.
 */
export class Renewal {
  readonly #openedAt = new WeakMap<pg.PoolClient, number>();
  #renewedAt = Number.NEGATIVE_INFINITY;

  readonly #now: () => number;

  constructor(pool: pg.Pool, now: () => number = () => performance.now()) {
    this.#now = now;
    pool.on('connect', (client) => this.#openedAt.set(client, now()));
  }

  /** Whether a connection is to be closed after an error of one of its statements. */
  endsBy(error: unknown): boolean {
    const now = this.#now();
    if (isReadOnlyRefusal(error) && now - this.#renewedAt > RENEW_EVERY_MS) this.#renewedAt = now;
    return error instanceof Error && isUnreachable(error);
  }

  /** Whether a connection is to be replaced before it is used again. */
  isOutdated(client: pg.PoolClient): boolean {
    return (this.#openedAt.get(client) ?? 0) < this.#renewedAt;
  }
}
