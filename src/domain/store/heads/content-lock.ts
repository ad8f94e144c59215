import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';

/**
 * Locks the content of an organization in shared mode until the transaction ends. Every writer of content takes this
 * lock; garbage collection takes it exclusively.
 */
export async function lockContentShared(ctx: Context, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${keyOf(organizationId)})`.execute(ctx.db);
}

/**
 * Tries to lock the content of an organization exclusively until the transaction ends. Does not wait, because a waiting
 * lock would block all later writers.
 */
export async function tryLockContentExclusive(ctx: Context, organizationId: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(${keyOf(organizationId)}) as locked`.execute(ctx.db);
  return rows[0]?.locked === true;
}

const keyOf = (organizationId: string) => sql`hashtextextended(${`content:${organizationId}`}, 0)`;
