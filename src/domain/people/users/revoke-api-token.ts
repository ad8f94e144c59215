import { sql } from 'kysely';
import { z } from 'zod';
import { requireUserId, ssoOf } from '../../../platform/access/actor.ts';
import { forgetToken } from '../../../platform/access/authenticate.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { writeStatement } from '../../../platform/operation/write-statement.ts';

/** Of an SSO session only tokens that were created with the same provider, as in `isOwnToken`. */
const remove = writeStatement<{ id: string; userId: string; samlProviderId: string | null }, { secretHash: Buffer }>(
  ({ id, userId, samlProviderId }) => sql`
    delete from api_token where id = ${id} and user_id = ${userId}
      and (${samlProviderId}::text is null or saml_provider_id = ${samlProviderId})
    returning secret_hash`,
);

export const revokeApiToken = command({
  name: 'revokeApiToken',
  description:
    'Revokes one of your personal access tokens. Other processes of the service may accept it for up to five more seconds.',
  input: z.object({ apiTokenId: idOf('token') }),
  async run(ctx, { apiTokenId }) {
    const userId = requireUserId(ctx.actor);
    const samlProviderId = ssoOf(ctx.actor)?.samlProviderId ?? null;
    const event = { kind: 'api_token_revoked' as const, organizationId: null, ids: { apiTokenId } };
    const revoked = await remove(ctx, { id: apiTokenId, userId, samlProviderId }, [event]);
    if (!revoked) return { deletedId: null, userId: null };
    ctx.afterCommit?.push(() => forgetToken(ctx.services, Buffer.from(revoked.secretHash)));
    return { deletedId: apiTokenId, userId };
  },
});
