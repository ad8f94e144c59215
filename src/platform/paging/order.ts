import type { RawBuilder } from 'kysely';

/** SQL type that values of cursors are cast to. */
type SortType = 'text' | 'timestamptz' | 'integer' | 'bigint' | 'xid8';

export type SortDirection = 'asc' | 'desc';

/** A part of a sort key: a selected value that is never null, and its direction. */
export interface OrderPart<Key extends string = string> {
  /** The property of the row with the value. */
  key: Key;
  direction: SortDirection;
  type: SortType;
  /** The column or expression to sort by. Default: the column of `key` in the table of the list. */
  by?: string | RawBuilder<unknown>;
}

/** Sorts by a property of the rows. `by` is its column or expression, if that is not the column of the same name. */
export const sortBy = <Key extends string>(
  key: Key,
  direction: SortDirection,
  type: SortType = 'text',
  by?: OrderPart['by'],
): OrderPart<Key> => ({ key, direction, type, ...(by !== undefined && { by }) });

export const asc = <Key extends string>(key: Key, type?: SortType, by?: OrderPart['by']) =>
  sortBy(key, 'asc', type, by);

export const desc = <Key extends string>(key: Key, type?: SortType, by?: OrderPart['by']) =>
  sortBy(key, 'desc', type, by);

export const newestFirst = [desc('createdAt', 'timestamptz'), desc('id')] as const;

export const oldestFirst = [asc('createdAt', 'timestamptz'), asc('id')] as const;
