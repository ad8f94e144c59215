import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  type TransactionSettings,
} from 'kysely';
import type pg from 'pg';
import { currentAccount } from '../context/account.ts';
import type { FairSlots } from '../fair-shares/fair-slots.ts';
import { rolledBack } from './constraints.ts';
import { OwnSession, PoolConnection, SharedSessions, type StatementObserver } from './pool-connection.ts';
import { serverProcessOf } from './pooler.ts';
import { PropertyQueryCompiler } from './property-compiler.ts';
import { Renewal } from './renewal.ts';
import type { StatementCanceller } from './statement-canceller.ts';

interface Parts {
  pool: pg.Pool;
  slots: FairSlots;
  canceller: StatementCanceller;
  /** Transactions run in sessions that a pooler shares among clients. */
  sharesSessions: boolean;
}

/** Sends the statements of both the query builder and the ORM. */
export class PoolDialect implements Dialect {
  readonly #parts: Parts & { renewal: Renewal };
  /** Not called for statements that begin or end transactions. */
  observer: StatementObserver | undefined;

  constructor(parts: Parts) {
    this.#parts = { ...parts, renewal: new Renewal(parts.pool) };
  }

  createDriver = (): Driver => new PoolDriver(this.#parts, () => this.observer);
  createQueryCompiler = () => new PropertyQueryCompiler();
  createAdapter = () => new PostgresAdapter();
  createIntrospector = (db: Kysely<unknown>) => new PostgresIntrospector(db);
}

class PoolDriver implements Driver {
  readonly #parts: Parts & { renewal: Renewal };
  readonly #observer: () => StatementObserver | undefined;

  constructor(parts: Parts & { renewal: Renewal }, observer: () => StatementObserver | undefined) {
    this.#parts = parts;
    this.#observer = observer;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const slot = await this.#parts.slots.take(currentAccount());
    try {
      const client = await this.#connect();
      const connection = connections.get(client) ?? (await this.#open(client));
      connection.acquired(this.#observer(), slot);
      return connection;
    } catch (error) {
      slot[Symbol.dispose]();
      throw error;
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    const { pool, renewal } = this.#parts;
    for (;;) {
      const client = await pool.connect();
      if (!renewal.isOutdated(client)) return client;
      client.release(true);
    }
  }

  async #open(client: pg.PoolClient): Promise<PoolConnection> {
    const { sharesSessions, renewal, canceller } = this.#parts;
    try {
      const session = sharesSessions ? new SharedSessions() : new OwnSession(await serverProcessOf(client));
      const connection = new PoolConnection(client, { session, renewal, canceller });
      connections.set(client, connection);
      return connection;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  async beginTransaction(connection: DatabaseConnection, { isolationLevel, accessMode }: TransactionSettings) {
    const level = isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`;
    try {
      await runTransactionCommand(connection, `begin${level}${accessMode === undefined ? '' : ` ${accessMode}`}`);
    } catch (error) {
      // `startTransaction` would not release the connection after an error.
      asPoolConnection(connection).release(true);
      throw error;
    }
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    asPoolConnection(connection).endTransaction();
    // PostgreSQL answers the commit of a transaction in which a statement has failed with a rollback, and without an
    // error.
    if ((await runTransactionCommand(connection, 'commit')) !== 'COMMIT') throw rolledBack();
  }

  /** If the rollback fails, closes the connection, which also rolls back. The original error matters more. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    asPoolConnection(connection).endTransaction();
    await runTransactionCommand(connection, 'rollback').catch(() => asPoolConnection(connection).release(true));
  }

  async savepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await runTransactionCommand(connection, `savepoint ${name}`);
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await runTransactionCommand(connection, `rollback to savepoint ${name}`);
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await runTransactionCommand(connection, `release savepoint ${name}`);
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    asPoolConnection(connection).release();
  }

  async destroy(): Promise<void> {
    await Promise.all([this.#parts.pool.end(), this.#parts.canceller.close()]);
  }
}

/** One for each client of the pool: the query builder keeps a record of every connection that it gets. */
const connections = new WeakMap<pg.PoolClient, PoolConnection>();

/** Kysely passes the connections that this driver has made. */
const asPoolConnection = (connection: DatabaseConnection) => connection as PoolConnection;

/** Names of savepoints come from the ORM. */
const runTransactionCommand = (connection: DatabaseConnection, command: string): Promise<string> =>
  asPoolConnection(connection).runTransactionCommand(command);
