import pg from 'pg';

/** Time after which the connection of a cancelled statement is closed if the statement has not ended. */
const CUT_AFTER_MS = 5_000;

/** Cancels running statements of other connections, over a connection of its own that is opened at the first use. */
export class StatementCanceller {
  readonly #pool: pg.Pool;

  constructor(url: string) {
    this.#pool = new pg.Pool({
      connectionString: url,
      max: 1,
      // Cancelling is most urgent when the server has no connections left.
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: CUT_AFTER_MS,
      application_name: 'stemma cancel',
    });
    // Without a listener, a lost connection would end the process.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  /**
   * Cancels the statement that a connection runs. Resolves when the server has signalled the connection's process, so that
   * later statements are not cancelled. A connection whose statement goes on is closed.
   */
  async cancel(client: pg.Client, serverProcess: number, running: Promise<unknown>): Promise<void> {
    const cut = setTimeout(() => void client.end().catch(() => {}), CUT_AFTER_MS);
    const keep = () => clearTimeout(cut);
    running.then(keep, keep);
    await this.#pool.query('select pg_catalog.pg_cancel_backend($1)', [serverProcess]).catch(() => {});
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}
