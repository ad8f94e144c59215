import { sql } from 'kysely';
import { type Context, takesLocks } from '../../../platform/context/context.ts';
import { transact } from '../../../platform/operation/transact.ts';
import { accessAdvisoryLock } from './access-advisory-lock.ts';

/**
 * Decides whether the caller may run a command that changes access. In a transaction, `decide` is called twice: first
 * without locks, then with them. The lock of the access waits for all writes in the organization, and all later writes
 * there wait for it, so that callers who are refused must not even request it. `decide` takes the locks (`lockAccess`,
 * `changesAccess`), does not write, and throws if the caller is refused; deletions for which that is no error catch it
 * outside. Calls of this function inside of `decide` are a part of it. Without `changesAccess`, the command decides
 * once.
 */
export async function decideBeforeLocks<Decided>(
  ctx: Context,
  decide: (deciding: Context) => Promise<Decided>,
  { changesAccess }: { changesAccess?: boolean | undefined } = { changesAccess: true },
): Promise<Decided> {
  if (!changesAccess || !ctx.inTransaction || ctx.decision) return decide(ctx);
  // Without locks, versions are not compared.
  await decide({ ...ctx, decision: 'without locks', expected: undefined });
  return decide({ ...ctx, decision: 'with locks' });
}

/**
 * Locks the access of an organization until the transaction ends. Commands that change what decisions read call it
 * before they lock anything else, and decide once they have it: writes that were decided on the old access have then
 * committed, and others wait. Where the decision depends on the caller's access, it is called in `decideBeforeLocks`.
 * Without effect outside of transactions, and while commands decide without locks.
 */
export async function lockAccess(ctx: Context, organizationId: string): Promise<void> {
  if (!takesLocks(ctx)) return;
  await sql`
    select ${sql.raw(accessAdvisoryLock('organization_id', 'for no key update'))} from access_version
    where organization_id = ${organizationId} for no key update`.execute(ctx.db);
}

/**
 * Runs a function in a transaction that has locked the access of an organization. For jobs that change what decisions
 * read.
 */
export const withAccessLock = <Result>(
  ctx: Context,
  organizationId: string,
  act: (inside: Context) => Promise<Result>,
): Promise<Result> =>
  transact(ctx, async (inside) => {
    await lockAccess(inside, organizationId);
    return act(inside);
  });
