import type { Context } from '../../../platform/context/context.ts';
import { findInvite } from './accept-invite.ts';

/** Content of the page of an invitation before it is accepted. */
export interface InvitePage {
  organization: string;
  /** Display name. Null if the account no longer exists. */
  invitedBy: string | null;
  email: string;
}

/** The organization, inviter and address of the invitation of a link. NOT_FOUND if the link cannot be used. */
export async function describeInvite(
  ctx: Context,
  { inviteId, secret }: { inviteId: string; secret: string },
): Promise<InvitePage> {
  const { organizationId, invitedBy, email } = await findInvite(ctx, inviteId, secret);
  const [organization, inviter] = await Promise.all([
    ctx.db.selectFrom('organization').where('id', '=', organizationId).select('title').executeTakeFirst(),
    ctx.db
      .selectFrom('user')
      .where('id', '=', invitedBy ?? '')
      .select('displayName')
      .executeTakeFirst(),
  ]);
  return { organization: organization?.title ?? '', invitedBy: inviter?.displayName ?? null, email };
}
