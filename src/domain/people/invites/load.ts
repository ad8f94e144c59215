import type { Context } from '../../../platform/context.ts';
import { nowOf } from '../../../platform/context.ts';
import { anyOf } from '../../../platform/database/any-of.ts';
import type { Row } from '../../../platform/database/tables.ts';
import { rowLoader } from '../../../platform/reads/loader.ts';
import { accessInOrganization } from '../access/index.ts';
import { inviteSecret } from './invite-secret.ts';

export type EmailInviteRow = Row<'email_invite'>;

/** Invitations by id, batched: those that have not expired, of organizations that the caller is an admin of. */
export const loadEmailInvite = rowLoader<EmailInviteRow>('email-invite', async (ctx, ids) => {
  const found = await ctx.db
    .selectFrom('email_invite')
    .where('id', '=', anyOf(ids))
    .where('expiresAt', '>', nowOf(ctx))
    .selectAll()
    .execute();
  const isShown = await Promise.all(
    found.map(async ({ organizationId }) => (await accessInOrganization(ctx, organizationId))?.role === 'admin'),
  );
  return found.filter((_, index) => isShown[index]);
});

/**
 * The link that accepts an invitation. The secret is in the fragment, which browsers send to no server: opening the link
 * does nothing yet, and no log contains it. Null if the secret cannot be read.
 */
export function linkOf({ services }: Context, { id, secret }: EmailInviteRow): string | null {
  const readable = inviteSecret.find(services, { id }, secret);
  return readable === undefined ? null : `${services.config.publicUrl}/invite#${id}.${readable}`;
}
