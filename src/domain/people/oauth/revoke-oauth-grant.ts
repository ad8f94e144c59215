import { z } from 'zod';
import { requireUserId, ssoOf } from '../../../platform/access/actor.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { recordAccountEvent } from '../access/index.ts';
import { deleteRecordsOf, forgetTokens } from './load-grants.ts';

export const revokeOAuthGrant = command({
  name: 'revokeOAuthGrant',
  scope: 'admin',
  description:
    'Disconnects an application from your account, and revokes all of its tokens. Other processes of the service may accept them for up to five more seconds.',
  input: z.object({ oauthGrantId: idOf('oauthgrant') }),
  async run(ctx, { oauthGrantId }) {
    const userId = requireUserId(ctx.actor);
    const deleted = await ctx.db
      .deleteFrom('oauth_grant')
      .where('id', '=', oauthGrantId)
      .where('userId', '=', userId)
      .$if(ssoOf(ctx.actor) !== undefined, (query) => query.where((its) => its.val(false)))
      .returning('id')
      .executeTakeFirst();
    if (!deleted) return { deletedId: null, userId: null };
    const hashes = await deleteRecordsOf(ctx.db, oauthGrantId);
    await recordAccountEvent(ctx, { kind: 'oauth_grant_revoked', ids: { oauthGrantId, userId } });
    ctx.afterCommit?.push(() => forgetTokens(ctx.services, hashes));
    return { deletedId: oauthGrantId, userId };
  },
});
