import { hasScope } from '../../../platform/access/actor.ts';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { entityLoader } from '../../../platform/reads/entity-loader.ts';
import { accessInOrganization } from '../access/index.ts';
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
 * The link that accepts an invitation. The secret is in the fragment, which browsers send to no server: opening the link
 * does nothing yet, and no log contains it. Null if the secret cannot be read.
 */
export function linkOf({ services }: Context, { id, secret }: EmailInviteRow): string | null {
  const readable = inviteSecret.find(services, { id }, secret);
  return readable === undefined ? null : `${services.config.publicUrl}/invite#${id}.${readable}`;
}

/** The name of a user who has invited somebody, with the verified address. Undefined if the account no longer exists. */
export async function inviterOf({ db }: Context, userId: string | null): Promise<string | undefined> {
  const inviter = await db
    .selectFrom('user')
    .where('id', '=', userId ?? '')
    .select(['displayName', 'email'])
    .executeTakeFirst();
  return inviter && (inviter.email === null ? inviter.displayName : `${inviter.displayName} (${inviter.email})`);
}
