import { z } from 'zod';
import { requireUserId } from '../../../platform/access/actor.ts';
import { forbidden } from '../../../platform/errors/errors.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { endGrant } from './end-grant.ts';
import { isOwnGrant } from './own-grants.ts';

export const revokeOAuthGrant = command({
  name: 'revokeOAuthGrant',
  scope: 'read',
  description:
    'Disconnects an application from your account, and revokes all of its tokens. An application can only disconnect itself, and an SSO session only applications that were connected with the same identity provider. Other processes of the service may accept them for up to five more seconds.',
  input: z.object({ oauthGrantId: idOf('oauthgrant') }),
  async run(ctx, { oauthGrantId }) {
    const userId = requireUserId(ctx.actor);
    if (ctx.actor.kind === 'user' && ctx.actor.scopes && ctx.actor.tokenId !== oauthGrantId) {
      throw forbidden('A token that is restricted to scopes can only disconnect its own application.');
    }
    const isEnded = await endGrant(ctx, { oauthGrantId, userId }, isOwnGrant(ctx.actor, 'oauth_grant'));
    return isEnded ? { deletedId: oauthGrantId, userId } : { deletedId: null, userId: null };
  },
});
