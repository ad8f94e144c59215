import { hasScope } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { anyOf } from '../../../platform/database/conditions.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { entityLoader } from '../../../platform/reads/entity-loader.ts';
import { batchLoader } from '../../../platform/reads/loader.ts';
import { accessInOrganization, isEnabledMember, permissions } from '../access/index.ts';
import { EmailInvite } from './entity.ts';
import { inviteSecret } from './invite-secret.ts';

export type EmailInviteRow = Row<'email_invite'>;

/** Invitations by id, batched: those that have not expired, of organizations that the caller is an admin of. */
export const loadEmailInvite = entityLoader<EmailInviteRow>(EmailInvite, {
  isShown: async (ctx, { organizationId, expiresAt }) =>
    hasScope(ctx.actor, 'admin') && // the link is all that others need to accept it
    expiresAt > nowOf(ctx) &&
    (await accessInOrganization(ctx, organizationId))?.role === 'admin',
});

/**
 * The inviter of the invitation `i` may still invite: former, disabled and demoted administrators could come back with
 * another account, by an invitation of their own.
 */
export const mayInviterInvite = () =>
  isEnabledMember('i.organization_id', 'i.invited_by', permissions.inviteMembers.organization);

/** Whether the inviter of an invitation may still invite, by the id of the invitation. Batched. */
export const isUsableInvite = batchLoader<boolean>('usable-invites', async ({ db }, ids) => {
  const rows = await db
    .selectFrom('email_invite as i')
    .where('i.id', '=', anyOf(ids))
    .where(mayInviterInvite())
    .select('i.id')
    .execute();
  return new Map(rows.map(({ id }) => [id, true]));
});

/**
 * The link that accepts an invitation. The secret is in the fragment, which browsers send to no server: opening the
 * link does nothing yet, and no log contains it. Null if the secret cannot be read.
 */
export function linkOf({ services }: Context, { id, secret }: EmailInviteRow): string | null {
  const readable = inviteSecret.find(services, { id }, secret);
  return readable === undefined ? null : `${services.config.publicUrl}/invite#${id}.${readable}`;
}

/**
 * The name of the user who made an invitation, with the verified address. Undefined if the account no longer exists.
 */
export async function inviterOf({ db }: Context, userId: string | null): Promise<string | undefined> {
  const inviter = await db
    .selectFrom('user')
    .where('id', '=', userId ?? '')
    .select(['displayName', 'email'])
    .executeTakeFirst();
  return inviter && (inviter.email === null ? inviter.displayName : `${inviter.displayName} (${inviter.email})`);
}
