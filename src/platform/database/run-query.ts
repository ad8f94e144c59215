import type pg from 'pg';
import { isStalePlan } from './constraints.ts';
import type { NamedStatements } from './named-statements.ts';
import { propertyOf } from './naming.ts';

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

/** The protocol sends their number in two bytes. */
const MAX_VALUES = 65_535;

/** Runs a statement that PostgreSQL plans now. A text without values can have several statements, and then has no rows. */
export const runQuery = (client: pg.ClientBase, statement: Statement): Promise<StatementResult> =>
  query(client, statement, undefined);

/**
 * Runs a statement that the connection plans at its first use: planning the permission query takes longer than running it.
 * Requires sessions with `plan_cache_mode` `force_generic_plan`, since PostgreSQL would otherwise plan again for every list
 * of ids (it assumes ten ids in a list, and prefers a plan for fewer).
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
    // A migration added a column to a `select *`. Inside a transaction, the statement fails again and the command is retried.
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

const sameName = (column: string) => column;

/**
 * Columns are named once per result. Copies of one object have one hidden class, which makes them, and reading them, faster
 * than adding properties to an empty object.
 */
function toObjects(
  { fields, rows }: pg.QueryArrayResult<unknown[]>,
  nameOf: (column: string) => string,
): Record<string, unknown>[] {
  const names = fields.map(({ name }) => nameOf(name));
  const empty: Record<string, unknown> = { ...Object.fromEntries(names.map((name) => [name, null])) };
  return rows.map((values) => {
    const row = { ...empty };
    let index = 0;
    for (const name of names) row[name] = values[index++];
    return row;
  });
}
