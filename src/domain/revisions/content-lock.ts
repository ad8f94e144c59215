import { sql } from 'kysely';
import type { Context } from '../../platform/context.ts';

/**
 * Held by whoever writes content of an organization, together with others, until the transaction ends: the collector of
 * unreachable content takes it alone (entities.md, "Locks").
 */
export async function holdContent(ctx: Context, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${`content:${organizationId}`}, 0))`.execute(ctx.db);
}
