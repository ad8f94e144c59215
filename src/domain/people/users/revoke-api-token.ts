import { z } from 'zod';
import { requireUserId } from '../../../platform/access/actor.ts';
import { forgetToken } from '../../../platform/access/authenticate.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation.ts';
import { isOwnToken } from './own-tokens.ts';

export const revokeApiToken = command({
  name: 'revokeApiToken',
  description:
    'Revokes one of your personal access tokens. Other processes of the service may accept it for up to five more seconds.',
  input: z.object({ apiTokenId: idOf('token') }),
  async run(ctx, { apiTokenId }) {
    const userId = requireUserId(ctx.actor);
    const revoked = await ctx.db
      .deleteFrom('api_token')
      .where('id', '=', apiTokenId)
      .where(isOwnToken(ctx.actor, 'api_token'))
      .returning('secretHash')
      .executeTakeFirst();
    if (!revoked) return { deletedId: null, userId: null };
    await recordEvent(ctx, { kind: 'api_token_revoked', organizationId: null, ids: { apiTokenId } });
    ctx.afterCommit?.push(() => forgetToken(ctx.services, Buffer.from(revoked.secretHash)));
    return { deletedId: apiTokenId, userId };
  },
});
