import type { SelectQueryBuilder } from 'kysely';
import type { Context } from '../context/context.ts';
import type { Tables } from '../database/tables.ts';
import { conflict } from '../errors/errors.ts';
import { lockCount } from './transact.ts';

/** How many rows there may be. */
interface CountLimit {
  /** What is counted, and the id of its owner, such as `webhooks:org_1`. */
  name: string;
  max: number;
  /** Says what there is too much of, and what to do. */
  message: string;
}

/**
 * CONFLICT if a query finds `max` rows or more. Transactions that count under the same name wait for each other, so that the limit
 * holds. Call it after all other locks, and before the row is inserted.
 */
export async function rejectAtLimit<Table extends keyof Tables>(
  ctx: Context,
  { name, max, message }: CountLimit,
  rows: SelectQueryBuilder<Tables, Table, object>,
): Promise<void> {
  await lockCount(ctx, name);
  const { count } = await rows.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  if (count >= max) throw conflict(message);
}
