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
import { heedSignal } from './abortable.ts';
import { sendPrepared } from './prepared.ts';
import { isPropertyQuery, PropertyQueryCompiler } from './property-compiler.ts';
import { send } from './send.ts';

/** Told of each statement before it is sent; what it answers is told whether that went well. */
export type StatementObserver = (text: string) => (isGood: boolean) => void;

/** How one process talks to PostgreSQL: what the query builder and the ORM send goes through here alike. */
export class PoolDialect implements Dialect {
  readonly #pool: pg.Pool;
  /** Statements that begin and end transactions are not observed. */
  observer: StatementObserver | undefined;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  createDriver = (): Driver => new PoolDriver(this.#pool, () => this.observer);
  createQueryCompiler = () => new PropertyQueryCompiler();
  createAdapter = () => new PostgresAdapter();
  createIntrospector = (db: Kysely<unknown>) => new PostgresIntrospector(db);
}

class PoolDriver implements Driver {
  readonly #pool: pg.Pool;
  readonly #observer: () => StatementObserver | undefined;

  constructor(pool: pg.Pool, observer: () => StatementObserver | undefined) {
    this.#pool = pool;
    this.#observer = observer;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new Connection(await this.#pool.connect(), this.#observer());
  }

  async beginTransaction(connection: DatabaseConnection, { isolationLevel, accessMode }: TransactionSettings) {
    const level = isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`;
    try {
      await frame(connection, `begin${level}${accessMode === undefined ? '' : ` ${accessMode}`}`);
    } catch (error) {
      // Who begins a transaction by hand (`startTransaction`) gets nothing that could be released.
      ours(connection).release(true);
      throw error;
    }
  }

  commitTransaction = (connection: DatabaseConnection) => frame(connection, 'commit');

  /** A connection that cannot even roll back is closed, which rolls back too; the first failure is the one to tell of. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
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

/** The driver gets back what it gave. */
const ours = (connection: DatabaseConnection) => connection as Connection;

/** What frames transactions. Names of savepoints are made by the ORM. */
const frame = (connection: DatabaseConnection, text: string): Promise<void> => ours(connection).frame(text);

/** A connection of the pool, from when it was taken until it is given back. */
class Connection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #observer: StatementObserver | undefined;
  #isReleased = false;

  constructor(client: pg.PoolClient, observer: StatementObserver | undefined) {
    this.#client = client;
    this.#observer = observer;
  }

  async frame(text: string): Promise<void> {
    await heedSignal(this.#client, text, () => send(this.#client, { text, values: [] }, false));
  }

  /**
   * Rows of the query builder have the names of properties, those of the ORM and of libraries the names of columns.
   * Statements without values that are not of the query builder (migrations) are not prepared.
   */
  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { sql: text, parameters } = query;
    const [client, namesRows] = [this.#client, isPropertyQuery(query)];
    const run = () =>
      namesRows || parameters.length > 0
        ? sendPrepared(client, text, parameters, namesRows)
        : send(client, { text, values: parameters }, false);
    const end = this.#observer?.(text);
    try {
      const result = await heedSignal(client, text, run);
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

  /** Gives the connection back, or closes it. May be called again. */
  release(isBroken = false): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#client.release(isBroken);
  }
}

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** Several statements in one text, as migrations have them, answer several results. */
function resultOf<Row>(result: pg.QueryResult | pg.QueryResult[]): QueryResult<Row> {
  if (Array.isArray(result)) return { rows: [] };
  const { command, rowCount, rows } = result;
  return CHANGES.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
}
