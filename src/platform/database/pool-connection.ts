import { randomUUID } from 'node:crypto';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type pg from 'pg';
import { runCancellable } from './abortable.ts';
import { NamedStatements } from './named-statements.ts';
import { isPropertyQuery } from './property-compiler.ts';
import type { Renewal } from './renewal.ts';
import { runPrepared, runQuery, type Statement, type StatementResult, streamQuery } from './run-query.ts';
import type { StatementCanceller } from './statement-canceller.ts';
import { isUnreplicated, unreplicated } from './synchronous-replication.ts';

/** Called before each statement. The returned function is called after it, with whether it succeeded. */
export type StatementObserver = (text: string) => (succeeded: boolean) => void;

/** How statements run in the sessions that a connection has. */
export interface Sessions {
  /** What a statement is cancelled by. */
  mark(text: string): { text: string; target: { process: number } | { label: string } };
  /** Runs a statement that is sent again and again. */
  run(client: pg.ClientBase, statement: Statement): Promise<StatementResult>;
  /** Whether the connection should be replaced. */
  readonly isFull: boolean;
}

/** A session of the server that only this connection uses. */
export class OwnSession implements Sessions {
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
export class SharedSessions implements Sessions {
  readonly isFull = false;

  mark(text: string) {
    const label = `/* ${LABEL} ${++labels} */ `;
    return { text: label + text, target: { label } };
  }

  run = (client: pg.ClientBase, statement: Statement) => runQuery(client, statement);
}

const LABEL = randomUUID();
let labels = 0;

/** A connection of the pool, which sends the statements of its session one after the other. */
export class PoolConnection implements DatabaseConnection {
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
   * Rejects further statements of the transaction. After a part of a command has failed, another part may still run;
   * its later statements would otherwise commit on their own.
   */
  endTransaction(): void {
    this.#isAfterTransaction = true;
  }

  /** Sends a statement that begins or ends a transaction, and returns the command that PostgreSQL has run. */
  async runTransactionCommand(command: string): Promise<string> {
    const run = (text: string) => runQuery(this.#client, { text, values: [], namesRows: false });
    return (await this.#runCancellable(command, run)).command;
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
   * Yields the rows of a query in chunks. Each chunk is requested once the former one has been used, so chunks arrive
   * in different ticks of the event loop. Other statements on this connection wait until the last row has been read.
   */
  async *streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    if (this.#isAfterTransaction) throw new Error('The transaction of this statement has ended.');
    const { sql: sqlText, parameters: values } = query;
    const { text, target } = this.#session.mark(sqlText);
    const end = this.#observer?.(sqlText);
    const chunks = streamQuery(this.#client, { text, values, namesRows: isPropertyQuery(query) }, chunkSize);
    let succeeded = false;
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
      succeeded = true;
    } finally {
      await chunks.return();
      end?.(succeeded);
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
