import type { Context } from '../../../platform/context/context.ts';
import { recordAccountEvent } from '../access/index.ts';
import { deleteRecordsOf, forgetTokens } from './load-grants.ts';

/** Ends a grant of a user with all of its tokens, in the transaction of a command. False if there is no such grant. */
export async function endGrant(ctx: Context, ids: { oauthGrantId: string; userId: string }): Promise<boolean> {
  const deleted = await ctx.db
    .deleteFrom('oauth_grant')
    .where('id', '=', ids.oauthGrantId)
    .where('userId', '=', ids.userId)
    .returning('organizationIds')
    .executeTakeFirst();
  if (!deleted) return false;
  const hashes = await deleteRecordsOf(ctx.db, ids.oauthGrantId);
  await recordAccountEvent(ctx, { kind: 'oauth_grant_revoked', ids }, deleted.organizationIds ?? undefined);
  ctx.afterCommit?.push(() => forgetTokens(ctx.services, hashes));
  return true;
}
