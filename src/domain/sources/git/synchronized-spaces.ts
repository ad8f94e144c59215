import type { Context } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import type { TransferPrecondition } from '../../places/transfers/index.ts';

/** The organization of a synchronization owns its events, and its credentials are encrypted for it. */
export const synchronizedSpaces: TransferPrecondition = async (ctx, { spaceIds }) => {
  const { db } = ctx;
  const synced = await db
    .selectFrom('git_sync')
    .where('spaceId', '=', anyOf(spaceIds))
    .where('commitOid', 'is not', null)
    .select('spaceId')
    .executeTakeFirst();
  if (synced)
    return `The space "${synced.spaceId}" is synchronized with a Git branch. Remove its Git synchronization first.`;
  const connected = await db
    .selectFrom('git_connection')
    .where('spaceId', '=', anyOf(spaceIds))
    .select('spaceId')
    .executeTakeFirst();
  if (connected)
    return `The space "${connected.spaceId}" is connected to a Git branch. Delete its Git connection first.`;
  const busy = await spaceWithPendingRun(ctx, spaceIds);
  return busy ? `The space "${busy}" has a pending Git operation. Wait until it has ended, or cancel it.` : null;
};

/**
 * The ID of one of the spaces that has an import from Git or an export to Git that has not ended; null if there is
 * none.
 */
export async function spaceWithPendingRun({ db }: Context, spaceIds: readonly string[]): Promise<string | null> {
  const run = await db
    .selectFrom('git_run')
    .where('spaceId', '=', anyOf(spaceIds))
    .where('status', 'in', ['pending', 'in-progress'])
    .select('spaceId')
    .executeTakeFirst();
  return run?.spaceId ?? null;
}
