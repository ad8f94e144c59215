import { z } from 'zod';
import { forgetToken } from '../../../platform/access/authenticate.ts';
import { orNull } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { assertAdmin, organizationFor, permissions } from '../access/index.ts';
import { scimTokenFor } from './load-scim-token.ts';

const needed = permissions.revokeScimToken.organization;

export const revokeScimToken = command({
  name: 'revokeScimToken',
  scope: 'admin',
  description:
    'Revokes a SCIM token. Members and teams that were provisioned with it are kept. Other processes of the service may accept it for up to five more seconds.',
  input: z.object({
    scimTokenId: idOf('scimtoken'),
    organizationId: idOf('org').nullish().describe('ID of the `Organization` of the token. Optional.'),
  }),
  authorize: async (ctx, { scimTokenId = '', organizationId }) => {
    if (organizationId) await assertAdmin(ctx, organizationId);
    await orNull(scimTokenFor(ctx, { scimTokenId }));
  },
  async run(ctx, input) {
    if (input.organizationId != null) await assertAdmin(ctx, input.organizationId);
    const token = await orNull(scimTokenFor(ctx, input));
    if (!token) return { deletedId: null, organizationId: null };
    const { id, organizationId } = token;
    await organizationFor(ctx, organizationId, needed);
    const revoked = await ctx.db
      .deleteFrom('scim_token')
      .where('id', '=', id)
      .returning('secretHash')
      .executeTakeFirst();
    if (!revoked) return { deletedId: null, organizationId: null };
    await recordEvent(ctx, { kind: 'scim_token_revoked', organizationId, ids: { scimTokenId: id } });
    ctx.afterCommit?.push(() => forgetToken(ctx.services, Buffer.from(revoked.secretHash)));
    return { deletedId: id, organizationId };
  },
});
