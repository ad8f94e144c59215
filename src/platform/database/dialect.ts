import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type pg from 'pg';
import { heedCancellation } from './abortable.ts';
import type { FairGate } from './fair-gate.ts';
import { sendPrepared } from './prepared.ts';
import type { StatementResult } from './prepared-query.ts';
import { isPropertyQuery, PropertyQueryCompiler } from './property-compiler.ts';
import { send } from './send.ts';

/** Called before each statement. The returned function is called after it, with whether it succeeded. */
export type StatementObserver = (text: string) => (isGood: boolean) => void;

/** Sends the statements of both the query builder and the ORM. */
export class PoolDialect implements Dialect {
  readonly #pool: pg.Pool;
  readonly #gate: FairGate;
  /** Not called for statements that begin or end transactions. */
  observer: StatementObserver | undefined;

  constructor(pool: pg.Pool, gate: FairGate) {
    this.#pool = pool;
    this.#gate = gate;
  }

  createDriver = (): Driver => new PoolDriver(this.#pool, this.#gate, () => this.observer);
  createQueryCompiler = () => new PropertyQueryCompiler();
  createAdapter = () => new PostgresAdapter();
  createIntrospector = (db: Kysely<unknown>) => new PostgresIntrospector(db);
}

class PoolDriver implements Driver {
  readonly #pool: pg.Pool;
  readonly #gate: FairGate;
  readonly #observer: () => StatementObserver | undefined;

  constructor(pool: pg.Pool, gate: FairGate, observer: () => StatementObserver | undefined) {
    this.#pool = pool;
    this.#gate = gate;
    this.#observer = observer;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const leave = await this.#gate.enter();
    try {
      const client = await this.#pool.connect();
      let connection = connections.get(client);
      if (!connection) {
        connection = new Connection(client);
        connections.set(client, connection);
      }
      connection.acquired(this.#observer(), leave);
      return connection;
    } catch (error) {
      leave();
      throw error;
    }
  }

  async beginTransaction(connection: DatabaseConnection, { isolationLevel, accessMode }: TransactionSettings) {
    const level = isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`;
    try {
      await frame(connection, `begin${level}${accessMode === undefined ? '' : ` ${accessMode}`}`);
    } catch (error) {
      // `startTransaction` would not release the connection after an error.
      ours(connection).release(true);
      throw error;
    }
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    ours(connection).endTransaction();
    await frame(connection, 'commit');
  }

  /** If the rollback fails, closes the connection, which also rolls back. The original error matters more. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    ours(connection).endTransaction();
    await frame(connection, 'rollback').catch(() => ours(connection).release(true));
  }

  savepoint = (connection: DatabaseConnection, name: string) => frame(connection, `savepoint ${name}`);
  rollbackToSavepoint = (connection: DatabaseConnection, name: string) =>
    frame(connection, `rollback to savepoint ${name}`);
  releaseSavepoint = (connection: DatabaseConnection, name: string) => frame(connection, `release savepoint ${name}`);

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    ours(connection).release();
  }

  async destroy(): Promise<void> {
    await this.#pool.end();
  }
}

/** One for each client of the pool: the query builder keeps a record of every connection that it gets. */
const connections = new WeakMap<pg.PoolClient, Connection>();

/** The connections that this driver has made. */
const ours = (connection: DatabaseConnection) => connection as Connection;

/** Sends a statement that begins or ends a transaction. Names of savepoints come from the ORM. */
const frame = (connection: DatabaseConnection, text: string): Promise<void> => ours(connection).frame(text);

/** A connection of the pool. */
class Connection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  #observer: StatementObserver | undefined;
  #leave: () => void = () => {};
  #isReleased = false;
  #isAfterTransaction = false;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  /** Called each time before it is used. `leave` is called when it is released. */
  acquired(observer: StatementObserver | undefined, leave: () => void): void {
    this.#leave = leave;
    this.#observer = observer;
    this.#isReleased = false;
    this.#isAfterTransaction = false;
  }

  /**
   * From here on, statements of the transaction are rejected. One that comes after it, from a part of a command that goes on
   * after another part has failed, would otherwise commit alone.
   */
  endTransaction(): void {
    this.#isAfterTransaction = true;
  }

  async frame(text: string): Promise<void> {
    await heedCancellation(this.#client, text, () => send(this.#client, text, [], false));
  }

  /**
   * Result rows of the query builder have property names, those of the ORM and of libraries have column names.
   * Statements from elsewhere without values (migrations) are not prepared.
   */
  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#isAfterTransaction) throw new Error('The transaction of this statement has ended.');
    const { sql: text, parameters } = query;
    const [client, namesRows] = [this.#client, isPropertyQuery(query)];
    const run = () =>
      namesRows || parameters.length > 0
        ? sendPrepared(client, text, parameters, namesRows)
        : send(client, text, parameters, false);
    const end = this.#observer?.(text);
    try {
      const result = await heedCancellation(client, text, run);
      end?.(true);
      return resultOf(result);
    } catch (error) {
      end?.(false);
      throw error;
    }
  }

  streamQuery(): never {
    throw new Error('Statements are not streamed; read in pages.');
  }

  /** Returns the connection to the pool, or closes it. Idempotent. */
  release(isBroken = false): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#client.release(isBroken);
    this.#leave();
  }
}

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** A text with several statements, as in migrations, has several results. */
export function resultOf<Row>(result: StatementResult | StatementResult[]): QueryResult<Row> {
  if (Array.isArray(result)) return { rows: [] };
  const { command, rowCount } = result;
  const rows = result.rows as Row[]; // by the statement's type
  return CHANGES.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
}
