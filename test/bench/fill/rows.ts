import type { Insertable } from 'kysely';
import type { Database, Tables } from '../../../src/platform/database/tables.ts';

/** A statement takes 65,535 parameters; no table here has more than 20 columns. */
const ROWS_PER_STATEMENT = 2_000;

/** Inserts any number of rows. */
export async function insertRows<Name extends keyof Tables & string>(
  db: Database,
  table: Name,
  rows: readonly Insertable<Tables[Name]>[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
    await db
      .insertInto(table)
      .values(rows.slice(start, start + ROWS_PER_STATEMENT))
      .execute();
  }
}
