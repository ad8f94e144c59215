import type { CompiledQuery, RawBuilder } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context/context.ts';
import { type SharedRead, sharedRead } from '../reads/shared-reads.ts';
import { PARENT_COLUMN } from './list-statements.ts';

/** Conditions can have long lists of ids. Statements with longer ones are not shared. */
const MAX_CHARACTERS = 100_000;
const MAX_CHARACTERS_OF_ALL = 8_000_000;

/**
 * Rows that one statement reads for all requests, and for one of them: making objects of the rows takes 1 µs for each.
 */
const MAX_ROWS = 10_000;
const MAX_ROWS_OF_REQUEST = 2_500;

/** By the text of the statement and its values, apart from the parents. */
const reads = new LRUCache<string, SharedRead<unknown[]>>({
  maxSize: MAX_CHARACTERS_OF_ALL,
  maxEntrySize: MAX_CHARACTERS,
  sizeCalculation: (_read, key) => key.length,
});

/**
 * The rows of a statement over parents, by parent. Requests that send the same statement at once share it, whatever
 * their parents. The statement must use `parentIds` as one value, and reads at most `maxRows` rows for each. Rows must
 * not be changed.
 *
 * For lists that many clients read at once. When 32 connections asked for 1,000 comments on 200 change requests of one
 * of five organizations each, the service took 28 ms for a request without it and 17 ms with it, and PostgreSQL 7.7 and
 * 3.5 ms.
 */
export function readSharedList<Row extends Record<string, unknown>>(
  ctx: Context,
  statement: RawBuilder<Row>,
  parentIds: readonly string[],
  maxRows: number,
): Promise<Map<string, Row[]>> {
  const compiled = statement.compile(ctx.services.db);
  const isParents = (value: unknown) => value === parentIds;
  const key = JSON.stringify([compiled.sql, compiled.parameters.map((value) => (isParents(value) ? null : value))]);
  let read = reads.get(key);
  if (!read) {
    read = sharedRead<unknown[]>(
      async (db, keys) => {
        const parameters = compiled.parameters.map((value) => (isParents(value) ? keys : value));
        const { rows } = await db.executeQuery<Row>({ ...compiled, parameters } as CompiledQuery<Row>);
        return Map.groupBy(rows, (row) => row[PARENT_COLUMN] as string); // a selected column
      },
      { maxBatch: Math.ceil(MAX_ROWS / maxRows), maxShared: Math.ceil(MAX_ROWS_OF_REQUEST / maxRows) },
    );
    reads.set(key, read);
  }
  return read(ctx, parentIds) as Promise<Map<string, Row[]>>; // each statement has one type
}
