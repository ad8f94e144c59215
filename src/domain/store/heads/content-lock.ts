import { sql } from 'kysely';
import type { Context } from '../../../platform/context.ts';

/**
 * Takes the shared content lock of an organization until the transaction ends. Every writer of content holds it, while
 * garbage collection takes it exclusively.
 */
export async function holdContent(ctx: Context, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${keyOf(organizationId)})`.execute(ctx.db);
}

/**
 * Tries to take the exclusive content lock of an organization until the transaction ends. It does not wait, because
 * waiting for the lock would block all later writers.
 */
export async function tryHoldContentAlone(ctx: Context, organizationId: string): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(${keyOf(organizationId)}) as held`.execute(ctx.db);
  return rows[0]?.held === true;
}

const keyOf = (organizationId: string) => sql`hashtextextended(${`content:${organizationId}`}, 0)`;
