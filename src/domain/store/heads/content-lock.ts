import { sql } from 'kysely';
import type { Context } from '../../../platform/context.ts';

/**
 * Held by whoever writes content of an organization, together with others, until the transaction ends: the collector of
 * unreachable content takes it alone (docs/data-model.md, Locks).
 */
export async function holdContent(ctx: Context, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${keyOf(organizationId)})`.execute(ctx.db);
}

/**
 * Keeps all writers of an organization's content away until the transaction ends, if none is writing now. It does not wait
 * for them: whoever waits here would make all others wait behind it.
 */
export async function tryHoldContentAlone(ctx: Context, organizationId: string): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select pg_try_advisory_xact_lock(${keyOf(organizationId)}) as held`.execute(ctx.db);
  return rows[0]?.held === true;
}

const keyOf = (organizationId: string) => sql`hashtextextended(${`content:${organizationId}`}, 0)`;
