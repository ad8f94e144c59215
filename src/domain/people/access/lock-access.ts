import { sql } from 'kysely';
import type { Context } from '../../../platform/context/context.ts';
import { transact } from '../../../platform/operation/transact.ts';
import { accessAdvisoryLock } from './access-advisory-lock.ts';

/**
 * Locks the access of an organization until the transaction ends. Commands that change what decisions read call it
 * before they lock or decide anything else: writes that were decided on the old access have then committed, and others
 * wait. Without effect outside of transactions.
 */
export async function lockAccess(ctx: Context, organizationId: string): Promise<void> {
  if (!ctx.inTransaction) return;
  await sql`
    select ${sql.raw(accessAdvisoryLock('organization_id', 'for no key update'))} from access_version
    where organization_id = ${organizationId} for no key update`.execute(ctx.db);
}

/** Runs a function in a transaction that has locked the access of an organization. For jobs that change what decisions read. */
export const withAccessLock = <Result>(
  ctx: Context,
  organizationId: string,
  act: (inside: Context) => Promise<Result>,
): Promise<Result> =>
  transact(ctx, { id: undefined, versions: undefined }, async (inside) => {
    await lockAccess(inside, organizationId);
    return act(inside);
  });
