import { type SelectQueryBuilder, sql } from 'kysely';
import type { Context } from '../context/context.ts';
import type { Tables } from '../database/tables.ts';
import { conflict } from '../errors/errors.ts';

/** How many rows there may be. */
interface CountLimit {
  /** What is counted, and the id of its owner, such as `webhooks:org_1`. */
  name: string;
  max: number;
  /** Says what there are too many of, and what to do. */
  message: string;
}

/**
 * Makes transactions that count the same things, by name, wait for each other, so that a limit holds. Call it before
 * counting, and after the locks of existing rows.
 */
export const lockCount = async ({ db }: Context, name: string): Promise<void> =>
  void (await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db));

/** CONFLICT if a query finds `max` rows or more. Call it like `lockCount`, before the row is inserted. */
export async function rejectAtLimit<Table extends keyof Tables>(
  ctx: Context,
  { name, max, message }: CountLimit,
  rows: SelectQueryBuilder<Tables, Table, object>,
): Promise<void> {
  await lockCount(ctx, name);
  const { count } = await rows.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  if (count >= max) throw conflict(message);
}
