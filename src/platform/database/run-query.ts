import type pg from 'pg';
import Cursor from 'pg-cursor';
import { markHandled } from '../../lib/mark-handled.ts';
import { propertyOf } from './column-names.ts';
import { isStalePlan } from './constraints.ts';
import type { NamedStatements } from './named-statements.ts';
import { getTypeParser } from './type-parsers.ts';

/** A text with values for `$1`, `$2` …. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Rows have property names instead of column names. */
  readonly namesRows: boolean;
}

export interface StatementResult {
  /** Objects by the names of properties or columns. Of columns with the same name, the last one counts. */
  rows: Record<string, unknown>[];
  /** The command that PostgreSQL has run, such as `SELECT` or `COMMIT`. Empty for a text with several statements. */
  command: string;
  rowCount: number;
}

/** The protocol counts parameters in 16 bits. */
const MAX_VALUES = 65_535;

/**
 * Runs a statement that PostgreSQL plans for this execution. A text without values can have several statements, and
 * then has no rows.
 */
export const runQuery = (client: pg.ClientBase, statement: Statement): Promise<StatementResult> =>
  query(client, statement, undefined);

/**
 * Runs a statement that the connection plans at its first use: planning the permission query takes longer than running
 * it. Requires sessions with `plan_cache_mode` `force_generic_plan`, since PostgreSQL would otherwise plan again for
 * every list of ids (it assumes ten ids in a list, and prefers a plan for fewer).
 */
export async function runPrepared(
  client: pg.ClientBase,
  named: NamedStatements,
  statement: Statement,
): Promise<StatementResult> {
  try {
    return await query(client, statement, named.nameOf(statement.text));
  } catch (error) {
    if (!isStalePlan(error)) throw error;
    // A migration added a column to a `select *`. Inside a transaction, the statement fails again and the command is
    // retried.
    named.forget();
    return query(client, statement, named.nameOf(statement.text));
  }
}

async function query(
  client: pg.ClientBase,
  { text, values, namesRows }: Statement,
  name: string | undefined,
): Promise<StatementResult> {
  if (values.length > MAX_VALUES) throw new Error(`A statement has at most ${MAX_VALUES} values.`);
  const result = await client.query<unknown[]>({ name, text, values: [...values], rowMode: 'array' });
  // The driver returns an array for several statements, which its types do not say.
  if (Array.isArray(result)) return { rows: [], command: '', rowCount: 0 };
  const { command, rowCount } = result;
  return { rows: toObjects(result, namesRows ? propertyOf : sameName), command, rowCount: rowCount ?? 0 };
}

/**
 * Runs a query that PostgreSQL plans now, and yields its rows in chunks. PostgreSQL is asked for a chunk once the
 * former one has been used. If the caller stops early, the rest is not read.
 */
export async function* streamQuery(
  client: pg.ClientBase,
  { text, values, namesRows }: Statement,
  chunkSize: number,
): AsyncGenerator<Record<string, unknown>[], void, void> {
  const cursor = client.query(new Cursor<unknown[]>(text, [...values], { rowMode: 'array', types: { getTypeParser } }));
  // A cursor does not tell its reader of a connection that ends after the last row, or while it closes.
  const ended = Promise.withResolvers<never>();
  markHandled(ended.promise);
  const end = () => ended.reject(new Error('Connection terminated while a cursor was read'));
  client.once('end', end);
  let isOpen = true;
  try {
    for (;;) {
      const result = await Promise.race([readChunk(cursor, chunkSize), ended.promise]);
      if (result.rows.length === 0) break;
      yield toObjects(result, namesRows ? propertyOf : sameName);
    }
    isOpen = false;
  } catch (error) {
    // PostgreSQL has closed it.
    isOpen = false;
    throw error;
  } finally {
    client.off('end', end);
    // Not awaited: the connection queues later statements until the cursor is closed.
    if (isOpen) markHandled(cursor.close());
  }
}

/** Reads rows with the names of their columns, which the promise of the cursor leaves out. */
const readChunk = (cursor: Cursor<unknown[]>, size: number): Promise<pg.QueryArrayResult<unknown[]>> =>
  new Promise((resolve, reject) => {
    cursor.read(size, (error, rows, result) => {
      if (error) reject(error);
      else resolve({ ...result, rows });
    });
  });

const sameName = (column: string) => column;

/** Makes an object of each row. Of equal names, the last one counts. */
function toObjects(
  { fields, rows }: pg.QueryArrayResult<unknown[]>,
  nameOf: (column: string) => string,
): Record<string, unknown>[] {
  const names = fields.map(({ name }) => nameOf(name));
  // Copies have all properties from the start, also one named `__proto__`.
  const empty: Record<string, unknown> = Object.fromEntries(names.map((name) => [name, null]));
  return rows.map((values) => {
    const row = { ...empty };
    names.forEach((name, index) => {
      row[name] = values[index];
    });
    return row;
  });
}
