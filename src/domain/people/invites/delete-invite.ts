import { z } from 'zod';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { settingsSet } from '../../../platform/events/settings-changes.ts';
import { command, idOf } from '../../../platform/operation/operation.ts';
import { accessInOrganization, organizationFor, permissions } from '../access/index.ts';
import type { EmailInviteRow } from './load.ts';

const needed = permissions.deleteInvite.organization;

export const deleteInvite = command({
  name: 'deleteInvite',
  scope: 'admin',
  description:
    'Withdraws an invitation by email. Its link no longer works, unless the address is invited again within an hour of the email.',
  input: z.object({
    inviteId: idOf('emailinvite'),
    organizationId: idOf('org').nullish().describe('ID of the organization that the invitation must belong to.'),
  }),
  authorize: (ctx, { inviteId = '', organizationId }) => deletable(ctx, inviteId, organizationId || null),
  async run(ctx, { inviteId, organizationId: expectedOrganizationId }) {
    const invite = await deletable(ctx, inviteId, expectedOrganizationId);
    if (!invite) return { deletedId: null, organizationId: null };
    const { id, organizationId } = invite;
    if (!(await withdraw(ctx, id))) return { deletedId: null, organizationId: null }; // another call has withdrawn it meanwhile
    await recordEvent(ctx, { kind: 'invite_deleted', organizationId, changes: settingsSet({ email: invite.email }) });
    return { deletedId: id, organizationId };
  },
});

/**
 * Ends an invitation. False if it has ended already. It stays as an expired one, see `renewRecent`. It has ended for
 * every call that waits for this one, also for those whose time is earlier.
 */
async function withdraw(ctx: Context, id: string): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('email_invite')
    .set((row) => ({ expiresAt: row.ref('createdAt') }))
    .where('id', '=', id)
    .where('expiresAt', '>', nowOf(ctx))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The invitation, or null if there is none to be seen. REST also names the organization, which must be visible. */
async function deletable(
  ctx: Context,
  inviteId: string,
  organizationId: string | null | undefined,
): Promise<EmailInviteRow | null> {
  if (organizationId) await organizationFor(ctx, organizationId, needed);
  const invite = await ctx.db.selectFrom('email_invite').where('id', '=', inviteId).selectAll().executeTakeFirst();
  if (!invite || invite.expiresAt <= nowOf(ctx)) return null;
  if (organizationId && invite.organizationId !== organizationId) return null;
  // Only admins see invitations.
  if ((await accessInOrganization(ctx, invite.organizationId))?.role !== 'admin') return null;
  await organizationFor(ctx, invite.organizationId, needed);
  return invite;
}
