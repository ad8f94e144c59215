import type { RawBuilder } from 'kysely';
import type { Context } from '../context.ts';

/** What the statement of a list contains for decisions about access. */
export interface AroundParts<Conditions> {
  /** Columns beside each item, with a comma at the end. */
  columns: RawBuilder<unknown>;
  /** Joins with the parents, `parent(id)`. Every parent that stays has at least one row, even without items. */
  joins: RawBuilder<unknown>;
  /** For the `from` of the definition. */
  conditions: Conditions;
  /** A name of columns, joins and conditions: where it is the same, they are. Undefined if they have none. */
  name?: string | undefined;
}

/**
 * Reads a list with the caller's access to it: calls `read` one or more times, until what is decided in memory and what
 * the statement has seen are of the same moment, and returns the rows that the caller may see.
 */
export type Around<Conditions> = <Row extends Record<string, unknown>>(
  ctx: Context,
  parentIds: readonly string[],
  read: (parts: AroundParts<Conditions>) => Promise<Row[]>,
) => Promise<Row[]>;
