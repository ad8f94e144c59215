import type { RawBuilder } from 'kysely';
import type { Context } from '../context/context.ts';

/** What the statement of a list contains so that the caller's access can be decided. */
export interface AccessSql<Conditions> {
  /** Columns beside each item, with a comma at the end. */
  columns?: RawBuilder<unknown>;
  /** Joins with `parent`. Every parent that stays has at least one row, even without items. */
  joins?: RawBuilder<unknown>;
  /** The condition of the items that the caller may see. */
  where?: RawBuilder<boolean> | undefined;
  /** Conditions for lists that have to check access elsewhere in their SQL. */
  conditions: Conditions;
}

/**
 * Reads a list with the caller's access to it: calls `read` one or more times, until what was decided in memory and
 * what the statement has seen are of the same moment. Returns the rows that the caller may see.
 */
export type AccessFilter<Conditions> = <Row extends Record<string, unknown>>(
  ctx: Context,
  parentIds: readonly string[],
  read: (access: AccessSql<Conditions>) => Promise<Row[]>,
) => Promise<Row[]>;
