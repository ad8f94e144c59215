import type { Socket } from 'node:net';
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, Kysely, QueryResult } from 'kysely';
import type pg from 'pg';
import type { Cancellation } from '../cancellation.ts';
import { currentCancellation } from './abortable.ts';
import { isLockTimeout } from './constraints.ts';
import { type PoolDialect, resultOf, type StatementObserver } from './dialect.ts';
import { sendPrepared } from './prepared.ts';
import { PreparedBatch } from './prepared-batch.ts';
import { type Callback, PreparedQuery, type PreparedStatement, type StatementResult } from './prepared-query.ts';
import { isPropertyQuery } from './property-compiler.ts';
import { openSession, type SessionOptions } from './session.ts';
import { isTimeLimit, isUnreachable } from './unavailable.ts';
import { getTypeParser } from './value-types.ts';

/** Number of connections. PostgreSQL runs the statements of one connection after each other. */
const MAX_CONNECTIONS = 2;

/** Number of statements that one connection has at a time. More of them go through the pool. */
const MAX_SENT = 16;

/**
 * Time that a statement waits for a lock before it fails. Without it, one locked row would delay the statements of other
 * requests that were sent after it.
 */
const LOCK_TIMEOUT_MS = 50;

/** Time after the limit of a statement in which the server must have answered. Then the connection is taken for lost. */
const SILENCE_MS = 5_000;

/**
 * Sends single statements of several requests over few connections. Those that arrive while others run are sent together
 * and are one transaction, so that PostgreSQL writes its log once for all of them. If one fails, the others run without it:
 * a request gets the result that its statement has alone. For short statements that do not take long locks, such as writes
 * of one row: one that waits for a lock fails with the code 55P03 (`isLockTimeout`). While no connection is open or free,
 * they go through the pool.
 */
export class Pipeline {
  readonly #url: string;
  readonly #options: SessionOptions;
  readonly #connections = new Set<PipelinedConnection>();
  #opening: Promise<void> | undefined;
  #isClosed = false;

  constructor(url: string, options: SessionOptions) {
    this.#url = url;
    this.#options = options;
  }

  /**
   * Takes a place on the connection with the fewest statements, or undefined if none is open or free. Opens connections as
   * needed.
   */
  take(): PipelinedConnection | undefined {
    let best: PipelinedConnection | undefined;
    for (const each of this.#connections) if (!best || each.taken < best.taken) best = each;
    if ((!best || best.taken > 0) && this.#connections.size < MAX_CONNECTIONS) this.#open();
    if (!best || best.taken === MAX_SENT) return undefined;
    best.taken++;
    return best;
  }

  /** Statements that are running end before. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening;
    await Promise.all([...this.#connections].map((connection) => connection.close()));
  }

  #open(): void {
    if (this.#isClosed) return;
    this.#opening ??= this.#add()
      // Statements go through the pool, which reports what is wrong.
      .catch(() => {})
      .finally(() => {
        this.#opening = undefined;
      });
  }

  async #add(): Promise<void> {
    const client = await openSession(this.#url, {
      ...this.#options,
      lockTimeoutMs: LOCK_TIMEOUT_MS,
      application_name: 'stemma',
      types: { getTypeParser },
      pipeline: true,
      keepAlive: true,
    });
    const connection = new PipelinedConnection(client, this.#options.statementTimeoutMs);
    const forget = () => void this.#connections.delete(connection);
    connection.onRetired = forget;
    client.once('end', forget);
    client.once('error', forget);
    this.#connections.add(connection);
  }
}

/** A statement of a request. */
interface Sent {
  readonly statement: PreparedStatement;
  readonly values: readonly unknown[];
  readonly namesRows: boolean;
  readonly settle: Callback;
  /** Of the request. What is cancelled before it is sent is not sent. */
  readonly cancellation: Cancellation | undefined;
}

class PipelinedConnection implements DatabaseConnection {
  readonly #client: pg.Client;
  /** Statements that are sent together: at the end of the turn of the event loop, after those that are running. */
  #open: Sent[] = [];
  #isRunning = false;
  /** Number of statements that are sent, or will be. */
  taken = 0;
  observer: StatementObserver | undefined;
  /** Called once it is not to be used for further statements. */
  onRetired: () => void = () => {};
  #isRetired = false;

  /** A server that does not answer is given up where statements have a time limit. */
  constructor(client: pg.Client, statementTimeoutMs = 0) {
    this.#client = client;
    if (statementTimeoutMs === 0) return;
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection; // missing in its types
    stream.setTimeout(statementTimeoutMs + SILENCE_MS, () => {
      if (this.#isRunning) stream.destroy();
    });
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    currentCancellation()?.throwIfCancelled();
    const { sql: text, parameters } = query;
    const end = this.observer?.(text);
    try {
      const result = await sendPrepared(this.#client, text, parameters, isPropertyQuery(query), this.#add);
      end?.(true);
      return resultOf(result);
    } catch (error) {
      end?.(false);
      // Shows the stack of the caller instead of that of the socket.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }

  streamQuery(): never {
    throw new Error('Statements are not streamed; read in pages.');
  }

  close = (): Promise<void> => this.#client.end();

  /** Gives a place back. The last one closes a retired connection. */
  release(): void {
    this.taken--;
    if (this.#isRetired && this.taken === 0) void this.close().catch(() => {});
  }

  #add = (
    _client: pg.ClientBase,
    statement: PreparedStatement,
    values: readonly unknown[],
    namesRows: boolean,
  ): Promise<StatementResult> =>
    new Promise((resolve, reject) => {
      const settle: Callback = (error, result) => (error ? reject(error) : resolve(result));
      const cancellation = currentCancellation();
      if (this.#open.push({ statement, values, namesRows, settle, cancellation }) > 1) return;
      setImmediate(() => {
        if (!this.#isRunning) this.#send();
      });
    });

  #retire(): void {
    this.#isRetired = true;
    this.onRetired();
  }

  #send(): void {
    const sent = this.#open;
    if (sent.length === 0) return;
    this.#open = [];
    this.#isRunning = true;
    let left = sent.length;
    const ended = () => {
      left--;
      if (left > 0) return;
      this.#isRunning = false;
      this.#send();
    };
    this.#run(sent, ended);
  }

  #run(given: readonly Sent[], ended: () => void): void {
    const sent = given.filter(({ settle, cancellation }) => {
      const reason = cancellation?.reason;
      if (!reason) return true;
      settle(reason, NOTHING);
      ended();
      return false;
    });
    if (sent.length === 0) return;
    const queries = sent.map(({ statement, values, namesRows, settle }) => {
      const settled: Callback = (error, result) => {
        settle(error, result);
        ended();
      };
      return new PreparedQuery(statement, values, namesRows, settled);
    });
    const failed = (of: readonly PreparedQuery[], failing: PreparedQuery | undefined, error: Error) => {
      const again = (query: PreparedQuery) => sent.filter((_, index) => queries[index] === query);
      if (isUnreachable(error)) this.#retire();
      if (of.length <= 1 || isUnreachable(error)) {
        for (const query of of) query.handleError(error);
      } else if (failing && (isLockTimeout(error) || isTimeLimit(error))) {
        failing.handleError(error);
        this.#run(of.filter((query) => query !== failing).flatMap(again), ended);
      } else {
        // The one that failed may not fail without the others.
        for (const query of of) this.#run(again(query), ended);
      }
    };
    this.#client.query(new PreparedBatch(queries, failed));
  }
}

/** The result of a statement that did not run. */
const NOTHING: StatementResult = { rows: [], command: '', rowCount: 0 };

/** Sends statements over a pipeline, or through the pool. For statements outside of transactions. */
export class PipelineDialect implements Dialect {
  readonly #pool: PoolDialect;
  readonly #pipeline: Pipeline;

  constructor(pool: PoolDialect, pipeline: Pipeline) {
    this.#pool = pool;
    this.#pipeline = pipeline;
  }

  createDriver = (): Driver => new PipelineDriver(this.#pool, this.#pipeline);
  createQueryCompiler = () => this.#pool.createQueryCompiler();
  createAdapter = () => this.#pool.createAdapter();
  createIntrospector = (db: Kysely<unknown>) => this.#pool.createIntrospector(db);
}

class PipelineDriver implements Driver {
  readonly #dialect: PoolDialect;
  readonly #pool: Driver;
  readonly #pipeline: Pipeline;

  constructor(dialect: PoolDialect, pipeline: Pipeline) {
    this.#dialect = dialect;
    this.#pool = dialect.createDriver();
    this.#pipeline = pipeline;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const connection = this.#pipeline.take();
    if (!connection) return this.#pool.acquireConnection();
    connection.observer = this.#dialect.observer;
    return connection;
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof PipelinedConnection) connection.release();
    else await this.#pool.releaseConnection(connection);
  }

  beginTransaction = noTransactions;
  commitTransaction = noTransactions;
  rollbackTransaction = noTransactions;

  /** The pool belongs to the ORM. */
  destroy = (): Promise<void> => this.#pipeline.close();
}

async function noTransactions(): Promise<never> {
  throw new Error('A transaction needs a connection of its own.');
}
