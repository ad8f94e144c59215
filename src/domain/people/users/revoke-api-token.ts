import { sql } from 'kysely';
import { z } from 'zod';
import { requireUserId, ssoOf } from '../../../platform/access/actor.ts';
import { forgetToken } from '../../../platform/access/authenticate.ts';
import { forbidden } from '../../../platform/errors/errors.ts';
import { writeStatement } from '../../../platform/events/write-statement.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { eventsOfAccount } from '../access/index.ts';

interface Revoked {
  secretHash: Buffer;
  /** Of the sessions that were started with the token, which end with it. */
  sessionHashes: Buffer[];
}

/** Of an SSO session only tokens that were created with the same provider, as in `isOwnToken`. */
const remove = writeStatement<{ id: string; userId: string; providerId: string | null }, Revoked>(
  ({ id, userId, providerId }) => {
    const condition = sql`t.id = ${id} and t.user_id = ${userId}
      and (${providerId}::text is null or t.saml_provider_id = ${providerId})`;
    return {
      before: sql`ended as (
        delete from session s using api_token t where s.api_token_id = t.id and ${condition} returning s.secret_hash)`,
      change: sql`delete from api_token t where ${condition} returning t.secret_hash`,
      returned: { columns: sql`array(select secret_hash from ended) as session_hashes`, from: sql`` },
    };
  },
);

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
    const providerId = ssoOf(ctx.actor)?.providerId ?? null;
    const event = { kind: 'api_token_revoked' as const, ids: { apiTokenId, userId } };
    const events = await eventsOfAccount(ctx, event, ssoOf(ctx.actor)?.organizationId);
    const revoked = await remove(ctx, { id: apiTokenId, userId, providerId }, events);
    if (!revoked) return { deletedId: null, userId: null };
    ctx.afterCommit?.push(() => {
      for (const hash of [revoked.secretHash, ...revoked.sessionHashes]) forgetToken(ctx.services, Buffer.from(hash));
    });
    return { deletedId: apiTokenId, userId };
  },
});
