import pg from 'pg';

/** Time after which the connection of a cancelled statement is closed if the statement has not ended. */
const CUT_AFTER_MS = 5_000;

/** The label is a parameter, so that the statement does not find itself. */
const CANCEL_BY_LABEL = `
  select pg_catalog.pg_cancel_backend(pid) from pg_catalog.pg_stat_activity
  where state = 'active' and pg_catalog.starts_with(query, $1)`;

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
      // Where the server is gone, this connection does not answer either.
      query_timeout: CUT_AFTER_MS,
      application_name: 'stemma cancel',
      // A replica refuses statements of roles whose default is serializable.
      onConnect: async (client) => {
        await client.query(`set default_transaction_isolation to 'read committed'`);
      },
    });
    // Without a listener, a lost connection would end the process.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  /**
   * Cancels the statement that a connection runs, in a server process or with a label at its beginning. Resolves when
   * the server has signalled the process, so that later statements are not cancelled. A connection whose statement goes
   * on is closed, and so is one of which it is not known whether its process will still be signalled: the request to
   * cancel was sent, but not answered.
   */
  async cancel(
    client: pg.Client,
    running: Promise<unknown>,
    which: { process: number } | { label: string },
  ): Promise<void> {
    const close = () => void client.end().catch(() => {});
    const cut = setTimeout(close, CUT_AFTER_MS);
    const keep = () => clearTimeout(cut);
    running.then(keep, keep);
    const canceller = await this.#pool.connect().catch(() => undefined);
    // Without a connection to cancel it, the statement has until `cut`.
    if (!canceller) return;
    const cancelled =
      'process' in which
        ? canceller.query('select pg_catalog.pg_cancel_backend($1)', [which.process])
        : canceller.query(CANCEL_BY_LABEL, [which.label]);
    try {
      await cancelled;
      canceller.release();
    } catch {
      canceller.release(true);
      close();
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}
