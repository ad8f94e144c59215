import { z } from 'zod';
import { requireUserId, ssoOf } from '../../../platform/access/actor.ts';
import { forbidden } from '../../../platform/errors/errors.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { endGrant } from './end-grant.ts';

export const revokeOAuthGrant = command({
  name: 'revokeOAuthGrant',
  scope: 'read',
  description:
    'Disconnects an application from your account, and revokes all of its tokens. An application can disconnect itself alone. Other processes of the service may accept them for up to five more seconds.',
  input: z.object({ oauthGrantId: idOf('oauthgrant') }),
  async run(ctx, { oauthGrantId }) {
    const userId = requireUserId(ctx.actor);
    if (ctx.actor.kind === 'user' && ctx.actor.scopes && ctx.actor.tokenId !== oauthGrantId) {
      throw forbidden('A token that is restricted to scopes can disconnect its own application alone.');
    }
    // SSO sessions see no grants.
    const isEnded = ssoOf(ctx.actor) === undefined && (await endGrant(ctx, { oauthGrantId, userId }));
    return isEnded ? { deletedId: oauthGrantId, userId } : { deletedId: null, userId: null };
  },
});
