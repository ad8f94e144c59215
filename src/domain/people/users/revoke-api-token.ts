import { z } from 'zod';
import { requireUserId, ssoOf } from '../../../platform/access/actor.ts';
import { forgetToken } from '../../../platform/access/authenticate.ts';
import { forbidden } from '../../../platform/errors/errors.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { recordAccountEvent } from '../access/index.ts';

export const revokeApiToken = command({
  name: 'revokeApiToken',
  scope: 'read',
  description:
    'Revokes one of your personal access tokens, and ends the sessions that were started with it. A token that is restricted to scopes can only revoke itself. Other processes of the service may accept it for up to five more seconds.',
  input: z.object({ apiTokenId: idOf('token') }),
  async run(ctx, { apiTokenId }) {
    const userId = requireUserId(ctx.actor);
    if (ctx.actor.kind === 'user' && ctx.actor.scopes && ctx.actor.tokenId !== apiTokenId) {
      throw forbidden('A token that is restricted to scopes can only revoke itself.');
    }
    const sso = ssoOf(ctx.actor);
    const token = await ctx.db
      .deleteFrom('api_token')
      .where('id', '=', apiTokenId)
      .where('userId', '=', userId)
      // Of an SSO session only tokens that were created with the same provider, as in `isOwnToken`.
      .$if(sso !== undefined, (tokens) => tokens.where('samlProviderId', '=', sso?.providerId ?? ''))
      .returning('secretHash')
      .executeTakeFirst();
    if (!token) return { deletedId: null, userId: null };
    const sessions = await ctx.db
      .deleteFrom('session')
      .where('apiTokenId', '=', apiTokenId)
      .returning('secretHash')
      .execute();
    await recordAccountEvent(ctx, { kind: 'api_token_revoked', ids: { apiTokenId, userId } }, sso?.organizationId);
    ctx.afterCommit?.push(() => {
      for (const { secretHash } of [token, ...sessions]) forgetToken(ctx.services, Buffer.from(secretHash));
    });
    return { deletedId: apiTokenId, userId };
  },
});
