import pg from 'pg';
import { MAX_VALUES, type Run, runMessage, type WireValue } from './bind-message.ts';
import type { DataRow } from './data-row.ts';
import { type ColumnDescription, type RowMaker, rowMaker } from './rows.ts';

/** A prepared statement of a connection. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
  /**
   * Set after the statement has first run, with undefined for statements without rows. The columns cannot change
   * afterwards: if a table changes, PostgreSQL rejects the statement.
   */
  known?: { makeRow: RowMaker | undefined };
}

/** The result of a statement. */
export interface StatementResult {
  rows: Record<string, unknown>[];
  command: string;
  rowCount: number;
}

export type Callback = (error: Error | undefined, result: StatementResult) => void;

/** Properties of the driver's connection that are missing in its types. */
export type Connection = pg.Connection & {
  stream: { writable: boolean; write(bytes: Buffer): void; cork(): void; uncork(): void };
  parsedStatements: Record<string, string | undefined>;
  /** Of a pipeline: those whose responses have not arrived. */
  submittedNamedStatements: Record<string, string | undefined>;
};

/** The driver's conversion of values, which is missing in its types. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): WireValue | undefined } }).utils;

/**
 * Runs a prepared statement on a connection of the driver. The driver's own query sends four messages one by one and asks
 * for the columns every time; this one sends one buffer, and asks once.
 */
export class PreparedQuery implements pg.Submittable {
  readonly name: string;
  readonly text: string;
  callback: Callback;
  readonly #statement: PreparedStatement;
  readonly #values: readonly unknown[];
  readonly #namesRows: boolean;
  readonly #result: StatementResult = { rows: [], command: '', rowCount: 0 };
  #sent: WireValue[] = [];
  #makeRow: RowMaker | undefined;
  #fault: Error | undefined;

  constructor(statement: PreparedStatement, values: readonly unknown[], namesRows: boolean, callback: Callback) {
    this.name = statement.name;
    this.text = statement.text;
    this.callback = callback;
    this.#statement = statement;
    this.#values = values;
    this.#namesRows = namesRows;
  }

  /** Called by the driver when the connection is free. A returned error is passed to `handleError`. */
  submit(connection: pg.Connection): Error | null {
    const error = this.convert();
    if (!error) this.write(connection, 'runAndEnd');
    return error ?? null;
  }

  /** Converts the values to those that are sent. Returns the error of one that cannot be. */
  convert(): Error | undefined {
    try {
      if (this.#values.length > MAX_VALUES) throw new Error(`A statement has at most ${MAX_VALUES} values.`);
      this.#sent = this.#values.map((value) => prepareValue(value) ?? null);
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }

  /** Writes the messages of the converted statement. */
  write(connection: pg.Connection, run: Run): void {
    const { stream, parsedStatements, submittedNamedStatements } = connection as Connection; // see there
    const { name, text } = this;
    if (!stream.writable) return; // the driver fails all queries when the connection closes
    const { known } = this.#statement;
    this.#makeRow = known?.makeRow;
    const message = runMessage(name, this.#sent, known !== undefined, run);
    if (parsedStatements[name] === undefined && submittedNamedStatements[name] === undefined) {
      submittedNamedStatements[name] = text;
      stream.cork();
      connection.parse({ name, text, types: [] }, true);
      stream.write(message);
      stream.uncork();
    } else {
      stream.write(message);
    }
  }

  handleRowDescription({ fields }: { fields: readonly ColumnDescription[] }): void {
    this.#makeRow = rowMaker(fields, this.#namesRows);
  }

  handleDataRow({ bytes, start }: DataRow): void {
    if (this.#fault) return;
    try {
      if (this.#makeRow) this.#result.rows.push(this.#makeRow(bytes, start));
    } catch (error) {
      this.#fault = error as Error; // of a parser
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const [command = ''] = text.split(' ', 1);
    this.#result.command = command;
    this.#result.rowCount = Number(text.slice(text.lastIndexOf(' ') + 1)) || 0;
    this.#statement.known ??= { makeRow: this.#makeRow };
  }

  handleReadyForQuery(): void {
    this.callback(this.#fault, this.#result);
  }

  handleError(error: Error): void {
    this.callback(this.#fault ?? error, this.#result);
  }

  /** Statements are never empty, never suspended (all rows are fetched at once), and never `copy`. */
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(connection: pg.Connection): void {
    (connection as unknown as { sendCopyFail(reason: string): void }).sendCopyFail('Not supported.');
  }
  handleCopyData(): void {}
}
