import { randomUUID } from 'node:crypto';
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
import { currentAccount } from '../context/account.ts';
import type { FairSlots } from '../fair-shares/fair-slots.ts';
import { runCancellable } from './abortable.ts';
import { rolledBack } from './constraints.ts';
import { NamedStatements } from './named-statements.ts';
import { serverProcessOf } from './pooler.ts';
import { isPropertyQuery, PropertyQueryCompiler } from './property-compiler.ts';
import { Renewal } from './renewal.ts';
import { runPrepared, runQuery, type Statement, type StatementResult, streamQuery } from './run-query.ts';
import type { StatementCanceller } from './statement-canceller.ts';
import { isUnreplicated, unreplicated } from './synchronous-replication.ts';

/** Called before each statement. The returned function is called after it, with whether it succeeded. */
export type StatementObserver = (text: string) => (isGood: boolean) => void;

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
  readonly #pool: pg.Pool;
  readonly #slots: FairSlots;
  readonly #renewal: Renewal;
  readonly #canceller: StatementCanceller;
  readonly #sharesSessions: boolean;
  readonly #observer: () => StatementObserver | undefined;

  constructor(
    { pool, slots, renewal, canceller, sharesSessions }: Parts & { renewal: Renewal },
    observer: () => StatementObserver | undefined,
  ) {
    this.#pool = pool;
    this.#slots = slots;
    this.#renewal = renewal;
    this.#canceller = canceller;
    this.#sharesSessions = sharesSessions;
    this.#observer = observer;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const slot = await this.#slots.take(currentAccount());
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
    for (;;) {
      const client = await this.#pool.connect();
      if (!this.#renewal.isOutdated(client)) return client;
      client.release(true);
    }
  }

  async #open(client: pg.PoolClient): Promise<Connection> {
    try {
      const session = this.#sharesSessions ? new SharedSessions() : new OwnSession(await serverProcessOf(client));
      const connection = new Connection(client, { session, renewal: this.#renewal, canceller: this.#canceller });
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
      await frame(connection, `begin${level}${accessMode === undefined ? '' : ` ${accessMode}`}`);
    } catch (error) {
      // `startTransaction` would not release the connection after an error.
      ours(connection).release(true);
      throw error;
    }
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    ours(connection).endTransaction();
    // PostgreSQL answers the commit of a transaction in which a statement has failed with a rollback, and without an error.
    if ((await frame(connection, 'commit')) !== 'COMMIT') throw rolledBack();
  }

  /** If the rollback fails, closes the connection, which also rolls back. The original error matters more. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    ours(connection).endTransaction();
    await frame(connection, 'rollback').catch(() => ours(connection).release(true));
  }

  async savepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await frame(connection, `savepoint ${name}`);
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await frame(connection, `rollback to savepoint ${name}`);
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await frame(connection, `release savepoint ${name}`);
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    ours(connection).release();
  }

  async destroy(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#canceller.close()]);
  }
}

/** One for each client of the pool: the query builder keeps a record of every connection that it gets. */
const connections = new WeakMap<pg.PoolClient, Connection>();

/** The connections that this driver has made. */
const ours = (connection: DatabaseConnection) => connection as Connection;

/**
 * Sends a statement that begins or ends a transaction, and returns the command that PostgreSQL has run. Names of savepoints come
 * from the ORM.
 */
const frame = (connection: DatabaseConnection, text: string): Promise<string> => ours(connection).frame(text);

/** How statements run in the sessions that a connection has. */
interface Sessions {
  /** What a statement is cancelled by. */
  mark(text: string): { text: string; target: { process: number } | { label: string } };
  /** Runs a statement that is sent again and again. */
  run(client: pg.ClientBase, statement: Statement): Promise<StatementResult>;
  /** Whether the connection should be replaced. */
  readonly isFull: boolean;
}

/** A session of the server that only this connection uses. */
class OwnSession implements Sessions {
  readonly #target: { process: number };
  readonly #named = new NamedStatements();

  constructor(process: number) {
    this.#target = { process };
  }

  mark = (text: string) => ({ text, target: this.#target });
  run = (client: pg.ClientBase, statement: Statement) => runPrepared(client, this.#named, statement);

  get isFull(): boolean {
    return this.#named.isFull;
  }
}

/**
 * Sessions of a pooler in transaction mode. Statements have no names, since others cannot be sure to find them, and are
 * cancelled by a label, since they run in any process of the server.
 */
class SharedSessions implements Sessions {
  readonly isFull = false;

  mark(text: string) {
    const label = `/* ${LABEL} ${++labels} */ `;
    return { text: label + text, target: { label } };
  }

  run = (client: pg.ClientBase, statement: Statement) => runQuery(client, statement);
}

const LABEL = randomUUID();
let labels = 0;

/** A connection of the pool. */
class Connection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #session: Sessions;
  readonly #renewal: Renewal;
  readonly #canceller: StatementCanceller;
  #observer: StatementObserver | undefined;
  #slot: Disposable | undefined;
  #isReleased = false;
  #isAfterTransaction = false;
  /** Set once a statement has shown that others cannot run on it. */
  #isUnusable = false;
  /** Set once PostgreSQL has said that it stopped waiting for standbys. */
  #isUnreplicated = false;

  constructor(
    client: pg.PoolClient,
    { session, renewal, canceller }: { session: Sessions; renewal: Renewal; canceller: StatementCanceller },
  ) {
    this.#client = client;
    this.#session = session;
    this.#renewal = renewal;
    this.#canceller = canceller;
    client.on('notice', (notice) => {
      if (isUnreplicated(notice)) this.#isUnreplicated = true;
    });
  }

  /** Called each time before it is used. `slot` is given back when it is released. */
  acquired(observer: StatementObserver | undefined, slot: Disposable): void {
    this.#slot = slot;
    this.#observer = observer;
    this.#isReleased = false;
    this.#isAfterTransaction = false;
  }

  /**
   * Rejects further statements of the transaction. After a part of a command has failed, another part may still run; its later
   * statements would otherwise commit on their own.
   */
  endTransaction(): void {
    this.#isAfterTransaction = true;
  }

  async frame(frame: string): Promise<string> {
    const run = (text: string) => runQuery(this.#client, { text, values: [], namesRows: false });
    return (await this.#runCancellable(frame, run)).command;
  }

  /** Runs a statement, which is cancelled in the server when its request is. */
  #runCancellable<Result>(sqlText: string, run: (text: string) => Promise<Result>): Promise<Result> {
    const { text, target } = this.#session.mark(sqlText);
    return runCancellable(
      sqlText,
      () => this.#watched(() => run(text)),
      (running) => this.#canceller.cancel(this.#client, running, target),
    );
  }

  async #watched<Result>(run: () => Promise<Result>): Promise<Result> {
    this.#isUnreplicated = false;
    let result: Result;
    try {
      result = await run();
    } catch (error) {
      if (this.#renewal.endsBy(error)) this.#isUnusable = true;
      throw error;
    }
    if (this.#isUnreplicated) throw unreplicated();
    return result;
  }

  /**
   * Result rows of the query builder have property names, those of the ORM and of libraries have column names.
   * Statements from elsewhere without values (migrations) are not prepared.
   */
  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#isAfterTransaction) throw new Error('The transaction of this statement has ended.');
    const { sql: sqlText, parameters: values } = query;
    const namesRows = isPropertyQuery(query);
    const run = (text: string) => {
      const statement = { text, values, namesRows };
      return namesRows || values.length > 0
        ? this.#session.run(this.#client, statement)
        : runQuery(this.#client, statement);
    };
    const end = this.#observer?.(sqlText);
    try {
      const { command, rowCount, rows } = await this.#runCancellable(sqlText, run);
      end?.(true);
      const result = { rows: rows as Row[] }; // by the statement's type
      return CHANGES.has(command) ? { ...result, numAffectedRows: BigInt(rowCount) } : result;
    } catch (error) {
      end?.(false);
      throw error;
    }
  }

  /**
   * Yields the rows of a query in chunks. Each chunk is requested once the former one has been used, so chunks arrive in
   * different turns of the event loop. Other statements on this connection wait until the last row has been read.
   */
  async *streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    if (this.#isAfterTransaction) throw new Error('The transaction of this statement has ended.');
    const { sql: sqlText, parameters: values } = query;
    const { text, target } = this.#session.mark(sqlText);
    const end = this.#observer?.(sqlText);
    const chunks = streamQuery(this.#client, { text, values, namesRows: isPropertyQuery(query) }, chunkSize);
    let isGood = false;
    try {
      for (;;) {
        const { value, done } = await runCancellable(
          sqlText,
          () => this.#watched(() => chunks.next()),
          (running) => this.#canceller.cancel(this.#client, running, target),
        );
        if (done) break;
        yield { rows: value as Row[] }; // by the statement's type
      }
      isGood = true;
    } finally {
      await chunks.return();
      end?.(isGood);
    }
  }

  /** Returns the connection to the pool, or closes it so that the pool replaces it. Idempotent. */
  release(isBroken = false): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#client.release(isBroken || this.#isUnusable || this.#session.isFull);
    this.#slot?.[Symbol.dispose]();
  }
}

const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);
