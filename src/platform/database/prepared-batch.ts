import type pg from 'pg';
import type { DataRow } from './data-row.ts';
import type { Connection, PreparedQuery } from './prepared-query.ts';
import type { ColumnDescription } from './rows.ts';

/** Called with the statements of a batch that failed, and with the one that did, unless it was the end of their transaction. */
type OnFailure = (queries: readonly PreparedQuery[], failed: PreparedQuery | undefined, error: Error) => void;

/**
 * Runs several prepared statements of a pipeline as one transaction, which takes one write to the log of PostgreSQL for all
 * of them ("Pipelining": statements up to a Sync are one implicit transaction). Responses are passed on to each statement.
 * If one fails, nothing is written.
 */
export class PreparedBatch implements pg.Submittable {
  readonly #queries: PreparedQuery[];
  readonly #onFailure: OnFailure;
  /** Of the statement whose responses arrive. */
  #current = 0;

  constructor(queries: readonly PreparedQuery[], onFailure: OnFailure) {
    this.#queries = [...queries];
    this.#onFailure = onFailure;
  }

  /** The driver notes under this name that a statement has been prepared. */
  get name(): string | undefined {
    return this.#queries[this.#current]?.name;
  }

  get text(): string | undefined {
    return this.#queries[this.#current]?.text;
  }

  /** The driver replaces this with what ends its time limit (`query_timeout`). */
  callback = (): void => {};

  submit(connection: pg.Connection): Error | null {
    const { stream } = connection as Connection; // see there
    for (const query of [...this.#queries]) {
      const error = query.convert();
      if (!error) continue;
      this.#queries.splice(this.#queries.indexOf(query), 1);
      query.handleError(error);
    }
    if (this.#queries.length === 0) return new Error('There is nothing to send.');
    stream.cork();
    for (const query of this.#queries) query.write(connection, query === this.#queries.at(-1) ? 'runAndEnd' : 'run');
    stream.uncork();
    return null;
  }

  handleRowDescription(message: { fields: readonly ColumnDescription[] }): void {
    this.#queries[this.#current]?.handleRowDescription(message);
  }

  handleDataRow(message: DataRow): void {
    this.#queries[this.#current]?.handleDataRow(message);
  }

  handleCommandComplete(message: { text: string }): void {
    this.#queries[this.#current]?.handleCommandComplete(message);
    this.#current++;
  }

  handleReadyForQuery(): void {
    this.callback();
    for (const query of this.#queries) query.handleReadyForQuery();
  }

  handleError(error: Error, connection: pg.Connection): void {
    this.callback();
    // PostgreSQL has skipped the statements after the one that failed.
    const { submittedNamedStatements } = connection as Connection; // see there
    for (const { name } of this.#queries.slice(this.#current)) delete submittedNamedStatements[name];
    this.#onFailure(this.#queries, this.#queries[this.#current], error);
  }

  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(connection: pg.Connection): void {
    this.#queries[this.#current]?.handleCopyInResponse(connection);
  }
  handleCopyData(): void {}
}
