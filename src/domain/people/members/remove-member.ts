import { sql } from 'kysely';
import { z } from 'zod';
import { type Context, nowOf } from '../../../platform/context/context.ts';
import { orNull } from '../../../platform/errors/errors.ts';
import { recordEvent } from '../../../platform/events/record-event.ts';
import { command } from '../../../platform/operation/operation.ts';
import { accessInOrganization, noOrganizationAccessError } from '../access/index.ts';
import { type MemberName, memberForChange, memberName, memberNameOf } from './access.ts';
import { assertAdministratorRemains } from './assert-administrator-remains.ts';
import { endSsoCredentials } from './end-sso-credentials.ts';
import type { MemberRow } from './load.ts';
import { withdrawInvites } from './withdraw-invites.ts';

export const removeMember = command({
  name: 'removeMember',
  scope: 'admin',
  description:
    'Removes a member from an organization, or lets you leave it. The member loses access at once, with all tokens, and loses all grants and team memberships. Invitations and invite links that the member made, invitations to the member, and what the member made with SSO (sessions, tokens, applications) end for good. Content that the member created is kept. CONFLICT for the last admin.',
  input: z.object(memberName),
  authorize: (ctx, ids) => removable(ctx, memberNameOf(ids)),
  async run(ctx, name) {
    const member = await removable(ctx, name);
    if (!member) return { deletedId: null, organizationId: null };
    await endMembership(ctx, member);
    return { deletedId: member.id, organizationId: member.organizationId };
  },
});

/**
 * The member, or null if there is none to be seen. REST also names the organization, which must be visible. That is
 * read without a lock: `memberForChange` locks the access of the organization, and a weaker lock before it would be a
 * deadlock.
 */
async function removable(ctx: Context, name: MemberName): Promise<MemberRow | null> {
  const { organizationId } = name;
  if (organizationId && !(await accessInOrganization(ctx, organizationId)))
    throw await noOrganizationAccessError(ctx, organizationId);
  return orNull(memberForChange(ctx, name, { orSelf: true }));
}

/**
 * Ends a membership with its grants, teams, invitations, invite links and credentials of SSO, in the transaction of a
 * command that has locked the access of the organization. CONFLICT for the last admin.
 */
export async function endMembership(ctx: Context, member: MemberRow): Promise<void> {
  const { db } = ctx;
  const { id, organizationId, userId } = member;
  await assertAdministratorRemains(ctx, member, undefined);
  // Otherwise they would work again once the person is a member again.
  await endSsoCredentials(ctx, { organizationId, userId });
  await db.deleteFrom('grant').where('organizationId', '=', organizationId).where('granteeId', '=', userId).execute();
  await sql`
    update scim_group set updated_at = ${nowOf(ctx)} where team_id in (
      select team_id from team_member where organization_id = ${organizationId} and user_id = ${userId})`.execute(db);
  await db
    .deleteFrom('team_member')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .execute();
  // They would work for the member too, also with another account. The SCIM name of the member decides which they are.
  await withdrawInvites(ctx, member);
  await db.deleteFrom('scim_user').where('organizationId', '=', organizationId).where('userId', '=', userId).execute();
  await db.deleteFrom('membership').where('id', '=', id).execute();
  await recordEvent(ctx, { kind: 'member_removed', organizationId, ids: { memberId: id, userId } });
}
