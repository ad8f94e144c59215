import { z } from 'zod';
import type { Context } from '../../../platform/context/context.ts';
import { orNull } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import { organizationFor } from '../../people/access/index.ts';
import { type LinkName, linkFor, linkName, linkNameOf } from './access.ts';

export const deleteLinkInvite = command({
  name: 'deleteLinkInvite',
  scope: 'admin',
  description: 'Deletes an invite link. Members who joined with it keep their membership.',
  input: z.object(linkName),
  versioned: 'inviteId',
  authorize: (ctx, ids) => deletable(ctx, linkNameOf(ids)),
  async run(ctx, name) {
    const invite = await deletable(ctx, name);
    if (!invite) return { deletedId: null, organizationId: null };
    const { id, organizationId, spaceId } = invite;
    const { numDeletedRows } = await ctx.db.deleteFrom('link_invite').where('id', '=', id).executeTakeFirst();
    if (numDeletedRows === 0n) return { deletedId: null, organizationId: null }; // another call has deleted it meanwhile
    await recordEvent(ctx, { kind: 'link_invite_deleted', organizationId, spaceId });
    return { deletedId: id, organizationId };
  },
});

/** The link, or null if there is none to be seen. REST also names the organization, which must be visible. */
async function deletable(ctx: Context, name: LinkName) {
  if (name.organizationId) await organizationFor(ctx, name.organizationId, 'member');
  return orNull(linkFor(ctx, name));
}
